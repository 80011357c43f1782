import Foundation
import Testing

/// Tests PDFs that are imported into the archive and exported again.
@Suite struct ArchivedPDFTests {
    let program: Program

    init() throws { program = try Program() }

    private func path(_ name: String) -> String { program.home.path + "/" + name }

    private func file(_ name: String, _ data: Data) throws -> String {
        try data.write(to: URL(filePath: path(name)))
        return path(name)
    }

    private func done(_ words: String...) throws -> (output: String, messages: String) {
        let ending = try program.run(words)
        try #require(ending.status == 0, "\(words): \(ending.messages)")
        return (ending.output, ending.messages)
    }

    private func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path(name)))
    }

    /// Lists the files in the archive's picture folder that begin like a PDF.
    private func kept() throws -> [String] {
        let folder = path(".local/share/copystand/images")
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            FileManager.default.contents(atPath: folder + "/" + $0)?.starts(with: Data("%PDF".utf8))
                == true
        }
    }

    private struct Shown: Decodable {
        struct Original: Decodable {
            var name: String
            var type: String
            var bytes: Int
            var hash: String
        }
        var originals: [Original]
    }

    @Test("The exported file has the same bytes, and its own words are searchable")
    func original() throws {
        let data = PDFs.digital(pages: ["Xylophone page", "Second page"])
        let input = try file("Report 7.pdf", data)
        #expect(try done("import", input).output == "1\n")
        #expect(try done("search", "xylophone").output.contains("Report 7"))
        let folder = path("out")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(
            try done("export", "1", "--original", "-o", folder).output == "\(folder)/Report 7.pdf\n"
        )
        #expect(try bytes("out/Report 7.pdf") == data)
        #expect(try done("show", "1").output.contains("Report 7.pdf, \(data.count) bytes"))

        let shown = try JSONDecoder().decode(
            Shown.self, from: Data(try done("show", "1", "--json").output.utf8))
        let digest = try #require(try tool("sha256sum", input)).prefix(64)
        #expect(shown.originals.count == 1)
        #expect(
            shown.originals.allSatisfy {
                $0.name == "Report 7.pdf" && $0.type == "application/pdf" && $0.bytes == data.count
                    && $0.hash == digest
            })
    }

    @Test("No file is overwritten, and a scan has no original")
    func refused() throws {
        let data = PDFs.digital(pages: ["First page"])
        let input = try file("in.pdf", data)
        _ = try done("import", input)
        let taken = try program.run(["export", "1", "--original"])
        #expect(taken.status != 0 && taken.messages.contains("in.pdf"))
        #expect(try bytes("in.pdf") == data)
        let text = try program.run(["export", "1", "--original", "-o", "a.txt"])
        #expect(text.status != 0 && text.messages.contains(".pdf"))
        #expect(!program.home.visibleNames.contains("a.txt"))
        _ = try done("import", try file("a.tiff", Data(Pictures.tiff(pages: 1))))
        let none = try program.run(["export", "2", "--original"])
        #expect(none.status == 2 && none.messages.contains("has no original"))
    }

    @Test("A file is stored once however often it is imported, and removed with its last document")
    func once() throws {
        let data = PDFs.digital(pages: ["First page"])
        _ = try done("import", file("a.pdf", data))
        _ = try done("import", file("b.pdf", data), "--allow-duplicates")
        let names = try kept()
        #expect(names.count == 1)
        _ = try done("archive", "check")
        _ = try done("trash", "1")
        _ = try done("trash", "--empty")
        _ = try done("archive", "compact")
        #expect(try kept() == names)
        _ = try done("export", "2", "--original", "-o", "again.pdf")
        #expect(try bytes("again.pdf") == data)
        _ = try done("trash", "2")
        _ = try done("trash", "--empty")
        _ = try done("archive", "compact")
        #expect(try kept().isEmpty)
    }

    @Test("Several files of one document are exported into a folder, each with its name")
    func several() throws {
        let (one, two) = (PDFs.digital(pages: ["Alpha"]), PDFs.digital(pages: ["Beta"]))
        _ = try done("import", file("a.pdf", one), file("b.pdf", two))
        let refused = try program.run(["export", "1", "--original", "-o", "c.pdf"])
        #expect(refused.status != 0 && refused.messages.contains("Name a folder"))
        try FileManager.default.createDirectory(
            atPath: path("out"), withIntermediateDirectories: false)
        _ = try done("export", "1", "--original", "-o", "out")
        #expect(try bytes("out/a.pdf") == one)
        #expect(try bytes("out/b.pdf") == two)
    }

    @Test("An unchanged document is exported as its original file")
    func unchanged() throws {
        let data = PDFs.digital(pages: ["First page", "Second page"])
        _ = try done("import", file("in.pdf", data))
        #expect(try done("export", "1", "-o", "out.pdf").messages.isEmpty)
        #expect(try bytes("out.pdf") == data)
        _ = try done("edit", "1", "--title", "New title")
        _ = try done("export", "1", "-o", "titled.pdf")
        #expect(try tool("pdfinfo", path("titled.pdf"))?.contains("New title") == true)
        #expect(try bytes("titled.pdf").range(of: Data(PDFs.content("First page").utf8)) != nil)
        _ = try done("export", "1", "-o", "pictures.pdf", "--pdf-compression", "jpeg")
        #expect(
            try bytes("pictures.pdf").range(of: Data(PDFs.content("First page").utf8)) == nil)
    }

    @Test("After changes, unchanged pages are kept, and the others are reported")
    func changed() throws {
        let texts = ["First page", "Second page", "Third page"]
        let data = PDFs.digital(pages: texts)
        _ = try done("import", file("in.pdf", data))
        _ = try done("pages", "1", "--crop", "2", "0,300,1600,1200")
        _ = try done("pages", "1", "--move", "3", "1")
        let messages = try done("export", "1", "-o", "out.pdf").messages
        #expect(messages.contains("Page 3 is a picture now, since it was changed."))
        #expect(messages.contains("The other pages were kept"))
        _ = try #require(try tool("qpdf", "--check", path("out.pdf")), "qpdf finds faults")
        let output = try bytes("out.pdf")
        #expect(output.range(of: Data(PDFs.content("First page").utf8)) != nil)
        #expect(output.range(of: Data(PDFs.content("Third page").utf8)) != nil)
        #expect(output.range(of: Data(PDFs.content("Second page").utf8)) == nil)
        let words = try #require(try tool("pdftotext", path("out.pdf"), "-"))
        let order = ["Third", "First", "Second"].map { words.range(of: $0)?.lowerBound }
        #expect(!order.contains(nil) && order.compactMap { $0 } == order.compactMap { $0 }.sorted())
        let sizes = try #require(try tool("pdfinfo", "-f", "3", "-l", "3", path("out.pdf")))
        let sides = try #require(sizes.firstMatch(of: /size: +([0-9.]+) x ([0-9.]+)/))
        let proportion = (Double(sides.1) ?? 0) / (Double(sides.2) ?? 1)
        #expect(abs(proportion - 4.0 / 3) < 0.01, "\(sizes)")
        _ = try done("export", "1", "--original", "-o", "old.pdf")
        #expect(try bytes("old.pdf") == data)
        _ = try done("pages", "1", "--undo")
        _ = try done("pages", "1", "--undo")
        _ = try done("export", "1", "-o", "undone.pdf")
        #expect(try bytes("undone.pdf") == data)
    }

    @Test("After undoing the crop of an import, the page is that of its PDF again")
    func undoneCrop() throws {
        let glass = path("glass.jpg")
        let script = """
            from PIL import Image
            lid = Image.effect_noise((1240, 1754), 6).point(lambda level: max(0, level - 88))
            glass = lid.convert("RGB")
            sheet = Image.open("\(Samples.path)/01-letter.jpg").convert("RGB").resize((874, 1240))
            glass.paste(sheet, (150, 200))
            glass.save("\(glass)", dpi=(150, 150))
            """
        _ = try #require(try tool("/usr/bin/python3", "-c", script))
        let jpeg = try Data(contentsOf: URL(filePath: glass))
        let data = PDFs.scan(jpeg, width: 1_240, height: 1_754, components: 3)
        _ = try done("import", file("in.pdf", data), "-p", "none", "--step", "crop=on")
        let cropped = try done("export", "1", "-o", "cropped.pdf").messages
        #expect(cropped.contains("is a picture now"), "\(cropped)")
        _ = try done("pages", "1", "--undo")
        #expect(try done("export", "1", "-o", "whole.pdf").messages.isEmpty)
        #expect(try bytes("whole.pdf") == data)
    }

    @Test("A turned page of a PDF keeps its contents")
    func turned() throws {
        let data = PDFs.digital(pages: ["First page", "Second page"])
        _ = try done("import", file("in.pdf", data))
        _ = try done("pages", "1", "--rotate", "2", "90")
        #expect(try done("export", "1", "-o", "out.pdf").messages.isEmpty)
        _ = try #require(try tool("qpdf", "--check", path("out.pdf")), "qpdf finds faults")
        #expect(try bytes("out.pdf").range(of: Data(PDFs.content("Second page").utf8)) != nil)
        let pages = try #require(try tool("pdfinfo", "-f", "1", "-l", "2", path("out.pdf")))
        let turns = pages.matches(of: /rot: +([0-9]+)/).map { String($0.1) }
        #expect(turns == ["0", "90"], "\(pages)")
        _ = try done("pages", "1", "--undo")
        _ = try done("export", "1", "-o", "undone.pdf")
        #expect(try bytes("undone.pdf") == data)
    }

    @Test("A page that was turned upright at import is turned in its PDF, too")
    func turnedByImport() throws {
        let lying = path("lying.jpg")
        let script = """
            from PIL import Image
            picture = Image.open("\(Samples.path)/01-letter.jpg").convert("RGB")
            picture.rotate(90, expand=True).save("\(lying)")
            """
        _ = try #require(try tool("/usr/bin/python3", "-c", script))
        let jpeg = try Data(contentsOf: URL(filePath: lying))
        let scan = PDFs.scan(jpeg, width: 2_339, height: 1_701, components: 3, isLying: true)
        _ = try done(
            "import", file("in.pdf", scan), "-p", "none", "--step", "orientation=on", "--step",
            "text=on")
        func export(_ name: String) throws -> (bytes: Data, turn: Substring?, words: String) {
            _ = try done("export", "1", "-o", name)
            let facts = try tool("pdfinfo", path(name)) ?? ""
            return (
                try bytes(name), facts.firstMatch(of: /rot: +([0-9]+)/)?.1,
                try tool("pdftotext", "-layout", path(name), "-") ?? ""
            )
        }
        let upright = try export("out.pdf")
        #expect(upright.bytes.range(of: jpeg) != nil && upright.turn == "90")
        #expect(upright.words.contains("Aldermouth"), "\(upright.words)")
        _ = try done("pages", "1", "--rotate", "1", "180")
        let turned = try export("turned.pdf")
        #expect(turned.bytes.range(of: jpeg) != nil && turned.turn == "270")
    }

    @Test("A signed PDF keeps its signature until its document is changed, with a report")
    func signed() throws {
        let data = PDFs.digital(pages: ["First page", "Second page"], isSigned: true)
        _ = try done("import", file("in.pdf", data))
        _ = try done("export", "1", "-o", "out.pdf")
        #expect(try bytes("out.pdf") == data)
        _ = try done("pages", "1", "--delete", "2")
        let messages = try done("export", "1", "-o", "part.pdf").messages
        #expect(messages.contains("its signature is no longer valid"))
        #expect(try pageCount(path("part.pdf")) == 1)
        _ = try done("export", "1", "--original", "-o", "old.pdf")
        #expect(try bytes("old.pdf") == data)
    }

    @Test(
        "An encrypted PDF is stored encrypted, and exported as pictures", arguments: ["", "secret"])
    func encrypted(password: String) throws {
        let plain = try file("plain.pdf", PDFs.digital(pages: ["First page"]))
        _ = try #require(
            try tool(
                "qpdf", "--encrypt", password, "owner", "256", "--modify=none", "--", plain,
                path("in.pdf")))
        let words = password.isEmpty ? [] : ["--password", password]
        try FileManager.default.createSymbolicLink(
            atPath: path("link.pdf"), withDestinationPath: "in.pdf")
        let ending = try program.run(["import", path("link.pdf")] + words)
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(try kept().count == 1)
        _ = try done("export", "1", "--original", "-o", "old.pdf")
        #expect(try bytes("old.pdf") == bytes("in.pdf"))
        _ = try done("export", "1", "-o", "out.pdf")
        #expect(try bytes("out.pdf").range(of: Data(PDFs.content("First page").utf8)) == nil)
        #expect(try tool("pdftotext", path("out.pdf"), "-")?.contains("First page") == true)
    }
}
