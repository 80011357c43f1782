import Foundation
import Testing

/// Tests what happens to the files that `copystand watch-folder` imports.
@Suite struct WatchFolderTests {
    let program: Program
    init() throws {
        program = try Program()
        try FileManager.default.createDirectory(
            atPath: program.home.path + "/in", withIntermediateDirectories: true)
    }

    /// A TIFF of gray pages, one for each tone; tone 255 gives a blank page.
    private func tiff(_ tones: [Int], _ name: String) throws {
        let pages = tones.map { "make(\($0))" }.joined(separator: ", ")
        _ = try #require(
            try tool(
                "/usr/bin/python3", "-c",
                """
                import sys
                from PIL import Image, ImageDraw
                def make(tone):
                    page = Image.new("L", (620, 877), 255)
                    if tone < 255:
                        for line in range(80, 800, 40):
                            ImageDraw.Draw(page).text((60, line), "lantern harbor " * 5, fill=tone)
                    return page
                pages = [\(pages)]
                pages[0].save(sys.argv[1], save_all=True, append_images=pages[1:], dpi=(75, 75))
                """, program.home.path + "/in/" + name))
    }

    private func watch(_ more: String...) throws -> Program.Ending {
        try program.run(
            ["watch-folder", "in", "-p", "none", "--still", "0", "--once", "--delete"] + more)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: program.home.path + "/in/" + name)
    }

    @Test("A file whose pages are all in its document is deleted")
    func whole() throws {
        try tiff([0, 0], "two.tif")
        let ending = try watch("-o", "two.pdf")
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(!exists("two.tif") && !exists("done/two.tif"))
        #expect(try pageCount(program.home.path + "/two-001.pdf") == 2)
    }

    @Test("A missing folder is reported, and not made")
    func missing() throws {
        let ending = try program.run(["watch-folder", "nowhere", "--once"])
        #expect(ending.status != 0)
        #expect(ending.messages.contains("nowhere' does not exist"), "\(ending.messages)")
        #expect(!FileManager.default.fileExists(atPath: program.home.path + "/nowhere"))
    }

    @Test("Each file gets a document of its own, with a number")
    func numbered() throws {
        try tiff([0], "a.tif")
        try tiff([0, 0], "b.tif")
        let ending = try watch("-o", "scan {n}.pdf")
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/scan 001.pdf") == 1)
        #expect(try pageCount(program.home.path + "/scan 002.pdf") == 2)
    }

    private struct Labels: Decodable {
        struct Page: Decodable { var label: String? }
        var pages: [Page]
    }

    /// The labels of an order's pages, in order.
    private func labels(_ words: String...) throws -> [String] {
        let ending = try program.run(words + ["-p", "none", "--json"])
        #expect(ending.status == 0, "\(ending.messages)")
        return try JSONDecoder().decode(Labels.self, from: Data(ending.output.utf8)).pages
            .compactMap(\.label)
    }

    @Test("Files with one page each become one document, in the order of their numbers")
    func joined() throws {
        for number in [10, 2, 1] { try tiff([number * 10], "page-\(number).tif") }
        try tiff([0], "other.tif")
        let ending = try program.run([
            "watch-folder", "in", "-p", "none", "--still", "0", "--once", "--join-numbered", "1",
            "-o", "scan {n}.pdf",
        ])
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/scan 001.pdf") == 1)
        #expect(try pageCount(program.home.path + "/scan 002.pdf") == 3)
        for name in ["page-1.tif", "page-2.tif", "page-10.tif", "other.tif"] {
            #expect(exists("done/" + name), "\(name)")
        }
    }

    @Test("Fronts and backs of two files are put in order, by import and in a folder")
    func collated() throws {
        try tiff([0, 20, 40], "fronts.tif")
        try tiff([50, 30, 10], "backs.tif")
        let order = try labels(
            "import", "in/fronts.tif", "in/backs.tif", "--collate", "-o", "both.png")
        #expect(order == (1...3).flatMap { ["sheet \($0), front", "sheet \($0), back"] })
        // The area of black on each page identifies the page.
        let inks = try tool(
            "/usr/bin/python3", "-c",
            """
            import pathlib, sys
            from PIL import Image
            for path in sorted(pathlib.Path(sys.argv[1]).glob("both*.png")):
                print(Image.open(path).convert("L").getextrema()[0])
            """, program.home.path)
        let tones = inks?.split(separator: "\n").map(String.init)
        #expect(tones == ["0", "10", "20", "30", "40", "50"])
        let alone = try program.run(["import", "in/fronts.tif", "--collate", "-o", "one.pdf"])
        #expect(alone.status == 2 && alone.messages.contains("two files"), "\(alone.messages)")
        let earlier = Date(timeIntervalSinceNow: -60)
        try FileManager.default.setAttributes(
            [.modificationDate: earlier], ofItemAtPath: program.home.path + "/in/fronts.tif")
        let ending = try watch("--collate", "-o", "pair.pdf")
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/pair-001.pdf") == 6)
        #expect(!exists("fronts.tif") && !exists("backs.tif"))
    }

    private struct Listed: Decodable {
        struct Document: Decodable { var tags: [String] }
        var documents: [Document]
    }

    @Test("Subfolders are tags, or profiles, and others are reported")
    func subfolders() throws {
        for name in ["in/invoice", "in/photo", "in/done"] {
            try FileManager.default.createDirectory(
                atPath: program.home.path + "/" + name, withIntermediateDirectories: true)
        }
        try tiff([0], "invoice/a.tif")
        try tiff([10], "b.tif")
        let ending = try watch("--subfolders", "tag")
        #expect(ending.status == 0, "\(ending.messages)")
        let list = try program.run(["list", "--json"]).output
        let listed = try JSONDecoder().decode(Listed.self, from: Data(list.utf8))
        let tags = listed.documents.map(\.tags)
        #expect(tags.sorted { $0.count < $1.count } == [[], ["invoice"]])
        try tiff([20], "photo/c.tif")
        let second = try watch("--subfolders", "profile", "-o", "c.json")
        #expect(second.status == 0 && second.messages.contains("in/invoice' is not watched"))
        #expect(!exists("photo/c.tif"))
        #expect(FileManager.default.fileExists(atPath: program.home.path + "/c-001.json"))
    }

    @Test("The same file is not imported twice within the hour")
    func repeated() throws {
        try tiff([0], "a.tif")
        #expect(try watch("-o", "a.pdf").status == 0)
        try tiff([0], "again.tif")
        let ending = try watch("-o", "a.pdf")
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(ending.messages.contains("a second time"), "\(ending.messages)")
        #expect(exists("done/again.tif") && exists("done/again.tif.txt"))
        let made = FileManager.default.fileExists(atPath: program.home.path + "/a-002.pdf")
        #expect(!made)
    }

    @Test("With --leave, files stay, and each is imported once, and again after a change")
    func left() throws {
        try tiff([0], "a.tif")
        try Data("%PDF-1.4 cut off".utf8).write(
            to: URL(filePath: program.home.path + "/in/cut.pdf"))
        func take() throws -> Program.Ending {
            try program.run([
                "watch-folder", "in", "-p", "none", "--still", "0", "--give-up", "0", "--once",
                "--leave", "-o", "scan.pdf",
            ])
        }
        let made = { (number: Int) in
            FileManager.default.fileExists(atPath: program.home.path + "/scan-00\(number).pdf")
        }
        let ending = try take()
        #expect(ending.status != 0 && ending.messages.contains("in/cut.pdf' stays where it is"))
        #expect(exists("a.tif") && exists("cut.pdf") && exists("failed/cut.pdf.txt"))
        #expect(!exists("done") && made(1) && !made(2))
        let again = try take()
        #expect(again.status == 0 && !made(2), "\(again.messages)")
        try tiff([100, 0], "a.tif")
        #expect(try take().status == 0)
        #expect(try pageCount(program.home.path + "/scan-002.pdf") == 2)
        #expect(exists("a.tif") && !made(3))
    }

    @Test("'serve' watches the folders given with --always, until --never")
    func served() throws {
        let remembered = try program.run([
            "watch-folder", "in", "-p", "none", "--still", "0", "-o", "served.pdf", "--always",
        ])
        #expect(remembered.status == 0, "\(remembered.messages)")
        try tiff([0, 0], "two.tif")
        let ending = try program.run(["serve", "--listen", "127.0.0.1:0"]) { process, messages in
            #expect(messages.wait(for: "Watching"))
            while process.isRunning, !exists("done/two.tif") { usleep(50_000) }
            process.interrupt()
        }
        #expect(ending.status == 0 || ending.status == 130, "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/served-001.pdf") == 2)
        #expect(try program.run(["watch-folder", "in", "--never"]).status == 0)
        let again = try program.run(["serve", "--listen", "127.0.0.1:0"]) { process, messages in
            #expect(messages.wait(for: "Listening"))
            process.interrupt()
        }
        #expect(!again.messages.contains("Watching"), "\(again.messages)")
    }

    @Test("A file whose blank page was left out is kept")
    func blank() throws {
        try tiff([0, 255], "two.tif")
        let ending = try watch("--step", "blank=on", "-o", "two.pdf")
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(exists("done/two.tif"))
        #expect(ending.messages.contains("'two.tif' is now in"), "\(ending.messages)")
    }

    @Test("A damaged file is kept")
    func damaged() throws {
        let sample = try Data(contentsOf: URL(filePath: Samples.path + "/06-receipt.jpg"))
        let damaged = sample.prefix(sample.count * 2 / 3) + Data([0xFF, 0xD9])
        try damaged.write(to: URL(filePath: program.home.path + "/in/bad.jpg"))
        let ending = try watch("-o", "bad.pdf")
        #expect(exists("done/bad.jpg") || exists("failed/bad.jpg"), "\(ending.messages)")
    }
}
