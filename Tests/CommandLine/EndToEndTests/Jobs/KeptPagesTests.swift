import Foundation
import Testing

/// Tests PDFs whose pages are kept when they become part of a new PDF.
@Suite struct KeptPagesTests {
    let program: Program

    init() throws { program = try Program() }

    private func file(_ name: String, _ data: Data) throws -> String {
        let path = program.home.path + "/" + name
        try data.write(to: URL(filePath: path))
        return path
    }

    private func imported(_ words: [String]) throws -> (messages: String, bytes: Data) {
        let output = program.home.path + "/out.pdf"
        try? FileManager.default.removeItem(atPath: output)
        let ending = try program.run(["import"] + words + ["-o", output])
        try #require(ending.status == 0, "\(ending.messages)")
        // qpdf warns about repaired damage, and then exits with a different status.
        _ = try #require(try tool("qpdf", "--check", output), "qpdf finds faults")
        return (ending.messages, try Data(contentsOf: URL(filePath: output)))
    }

    private func info(_ name: String) throws -> String? {
        try tool("pdfinfo", program.home.path + "/out.pdf")?.split(separator: "\n")
            .first { $0.hasPrefix(name + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    private func outline() throws -> Int {
        try tool("mutool", "show", program.home.path + "/out.pdf", "outline")?
            .split(separator: "\n").count ?? 0
    }

    @Test(
        "An unchanged PDF is delivered byte for byte", arguments: ["none", "document"])
    func whole(profile: String) throws {
        let data = PDFs.digital(pages: ["First page", "Second page"])
        let path = try file("in.pdf", data)
        #expect(try imported([path, "-p", profile]).bytes == data)
    }

    @Test("A part of a PDF's pages keeps what belongs to them, and nothing of the others")
    func part() throws {
        let path = try file(
            "in.pdf", PDFs.digital(pages: ["First page", "Second page", "Third page"]))
        let (messages, bytes) = try imported([path, "-p", "none", "-n", "2"])
        #expect(messages.contains("Left out: 1 bookmark to pages that are not in this file."))
        #expect(try pageCount(program.home.path + "/out.pdf") == 2)
        #expect(bytes.range(of: Data(PDFs.content("Second page").utf8)) != nil)
        #expect(bytes.range(of: Data("Third page".utf8)) == nil)
        #expect(try info("Title") == "Old title" && info("Author") == "Ada")
        #expect(try info("Form") == "AcroForm")
        #expect(try outline() == 2)
        #expect(
            try tool("pdfdetach", "-list", program.home.path + "/out.pdf")?.hasPrefix("1 ") == true)
    }

    @Test("A form field that contains itself many times blocks nothing")
    func cycle() throws {
        let data = PDFs.digital(pages: ["First page", "Second page"], holdsItself: true)
        let path = try file("in.pdf", data)
        let other = try file("other.pdf", PDFs.digital(pages: ["Other page"]))
        for (words, count) in [([path], 1), ([other, path], 2)] {
            let ending = try program.run(
                ["import"] + words + ["-p", "none", "-n", "1", "-o", "out\(count).pdf"])
            #expect(ending.status == 0, "\(ending.messages)")
            #expect(try pageCount(program.home.path + "/out\(count).pdf") == count)
        }
    }

    @Test("A given title takes precedence over that of the file, and the pages stay")
    func title() throws {
        let path = try file("in.pdf", PDFs.digital(pages: ["First page"]))
        let bytes = try imported([path, "-p", "none", "--title", "Näw & <title>"]).bytes
        #expect(try info("Title") == "Näw & <title>" && info("Author") == "Ada")
        #expect(bytes.range(of: Data(PDFs.content("First page").utf8)) != nil)
    }

    @Test(
        "All pages of several PDFs and pictures become one document, with their links and bookmarks"
    )
    func several() throws {
        let first = try file("a.pdf", PDFs.digital(pages: ["Alpha page"]))
        let second = try file(
            "b.pdf", PDFs.digital(pages: ["Beta page", "Gamma page"], hasLink: true))
        let picture = try file("c.tiff", Data(Pictures.tiff(pages: 1)))
        let (messages, bytes) = try imported([picture, first, second, "-p", "none"])
        let path = program.home.path + "/out.pdf"
        #expect(try pageCount(path) == 4)
        for text in ["Alpha page", "Beta page", "Gamma page"] {
            #expect(bytes.range(of: Data(PDFs.content(text).utf8)) != nil)
        }
        #expect(messages.contains("Title, author, language and tags are those of the first PDF"))
        let bookmarks = try tool("mutool", "show", path, "outline") ?? ""
        for (title, page) in [("Alpha page", 2), ("Beta page", 3), ("Gamma page", 4)] {
            #expect(
                bookmarks.split(separator: "\n").contains {
                    $0.contains(title) && $0.contains("#page=\(page)")
                }, "\(bookmarks)")
        }
        #expect(try tool("pdfdetach", "-list", path)?.hasPrefix("2 ") == true)
        let form = try tool("mutool", "show", path, "form") ?? ""
        #expect(form.contains("field") && form.contains("field+1"), "\(form)")
        #expect(try links(in: path) == [3: 4])
    }

    @Test(
        "Layers that are hidden stay so where several PDFs become one document",
        arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 1], [3, 1, 2]])
    func layers(order: [Int]) throws {
        let files = [
            try file("plain.pdf", PDFs.digital(pages: ["Plain page"])),
            try file("a.pdf", PDFs.layered("First", hidden: "Secret")),
            try file("b.pdf", PDFs.layered("Second", hidden: "Secret", isByRule: true)),
            try file("c.pgm", Data(Pictures.pgm(width: 300, height: 400))),
        ]
        _ = try imported(order.map { files[$0] } + ["-p", "none"])
        let path = program.home.path + "/out.pdf"
        // If the hidden layer were shown, half of the page would be black.
        let drawn = program.home.path + "/drawn"
        _ = try tool("pdftoppm", "-r", "20", "-gray", path, drawn)
        for number in 1...order.count {
            let picture = try Data(contentsOf: URL(filePath: "\(drawn)-\(number).pgm"))
            let dark = picture.suffix(picture.count - 20).count { $0 < 50 }
            #expect(dark * 10 < picture.count, "page \(number)")
        }
    }

    /// Returns the target pages of links, by the page that has the link.
    private func links(in path: String) throws -> [Int: Int] {
        let xml = try tool("pdftohtml", "-xml", "-stdout", "-i", path) ?? ""
        var page = 0
        var links: [Int: Int] = [:]
        for line in xml.split(separator: "\n") {
            if let match = line.firstMatch(of: /<page number="(\d+)"/) { page = Int(match.1) ?? 0 }
            if let match = line.firstMatch(of: /href="[^"#]*#(\d+)"/) { links[page] = Int(match.1) }
        }
        return links
    }

    @Test("A partial second PDF keeps only the bookmarks of its own pages")
    func partOfSecond() throws {
        let first = try file("a.pdf", PDFs.digital(pages: ["Alpha page"]))
        let second = try file(
            "b.pdf", PDFs.digital(pages: ["Beta page", "Gamma page"], hasLink: true))
        let (messages, bytes) = try imported([first, second, "-p", "none", "-n", "1"])
        #expect(messages.contains("Left out: 1 bookmark and 1 link to pages that are not"))
        let path = program.home.path + "/out.pdf"
        #expect(try pageCount(path) == 2)
        #expect(bytes.range(of: Data("Gamma".utf8)) == nil)
        #expect(try outline() == 2)
        #expect(try links(in: path).isEmpty)
    }

    @Test("A scan without text gets words over its unchanged picture")
    func layer() throws {
        let jpeg = try Data(contentsOf: URL(filePath: Samples.path + "/01-letter.jpg"))
        let script = """
            from PIL import Image
            picture = Image.open("\(Samples.path)/01-letter.jpg")
            print(*picture.size, len(picture.getbands()))
            """
        let size = try #require(try tool("/usr/bin/python3", "-c", script))
        let numbers = size.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 3)
        let path = try file(
            "in.pdf",
            PDFs.scan(jpeg, width: numbers[0], height: numbers[1], components: numbers[2]))
        let bytes = try imported([path, "-p", "none", "--step", "text=on"]).bytes
        #expect(bytes.range(of: jpeg) != nil)
        let text = try tool("pdftotext", program.home.path + "/out.pdf", "-") ?? ""
        #expect(text.split(whereSeparator: \.isWhitespace).count > 40, "\(text)")
    }

    @Test("A sideways scan is turned with its words, and its picture stays unchanged")
    func turned() throws {
        let lying = program.home.path + "/lying.jpg"
        let script = """
            from PIL import Image
            picture = Image.open("\(Samples.path)/01-letter.jpg").convert("RGB")
            picture = picture.rotate(90, expand=True)
            picture.save("\(lying)")
            print(*picture.size)
            """
        let size = try #require(try tool("/usr/bin/python3", "-c", script))
        let numbers = size.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 2)
        let jpeg = try Data(contentsOf: URL(filePath: lying))
        let path = try file(
            "in.pdf",
            PDFs.scan(jpeg, width: numbers[0], height: numbers[1], components: 3, isLying: true))
        let bytes = try imported([
            path, "-p", "none", "--step", "orientation=on", "--step", "text=on",
        ]).bytes
        #expect(bytes.range(of: jpeg) != nil)
        #expect(try info("Page rot") == "90")
        let upright = try tool("pdftotext", "-layout", program.home.path + "/out.pdf", "-") ?? ""
        let words = upright.split(whereSeparator: \.isWhitespace)
        #expect(words.count > 40 && words.contains("Dear"), "\(upright)")
        // The words are over their picture: reading the picture again finds them at the same
        // places.
        let box = try tool("pdftotext", "-bbox", program.home.path + "/out.pdf", "-") ?? ""
        let places = box.matches(of: /xMin="([\d.]+)" yMin="([\d.]+)"/).compactMap {
            (Double($0.1), Double($0.2))
        }
        #expect(places.allSatisfy { ($0 ?? 999) < 595 && ($1 ?? 999) < 842 }, "\(box)")
        let lines = places.compactMap(\.1)
        #expect((lines.first ?? 999) < 200 && (lines.last ?? 0) > 500, "\(box)")
    }

    @Test("A signed PDF is copied unchanged, and changed only on request")
    func signed() throws {
        let data = PDFs.digital(pages: ["First page", "Second page"], isSigned: true)
        let path = try file("in.pdf", data)
        let (messages, bytes) = try imported([path, "-p", "document"])
        #expect(bytes == data && messages.contains("break the signature"))
        let part = [path, "-p", "none", "-n", "1"]
        let refused = try program.run(["import"] + part + ["-o", "part.pdf"])
        #expect(refused.status != 0 && refused.messages.contains("--break-signature"))
        #expect(!program.home.visibleNames.contains("part.pdf"))
        let broken = try imported(part + ["--break-signature"]).bytes
        #expect(broken.range(of: Data(PDFs.content("First page").utf8)) != nil)
    }

    @Test("Contents that become a picture are named, and leave no fields behind")
    func redrawn() throws {
        let path = try file("in.pdf", PDFs.digital(pages: ["First page", "Second page"]))
        let (messages, _) = try imported([path, "-p", "none", "--step", "binarize=on"])
        #expect(messages.contains("Links, form fields and comments on them are not in this file"))
        let form = try tool("mutool", "show", program.home.path + "/out.pdf", "form") ?? ""
        #expect(!form.contains("field"), "\(form)")
    }

    @Test(
        "Options that need pictures report what is lost", arguments: ["--pdf-quality", "--pdf-a"])
    func asked(option: String) throws {
        let path = try file("in.pdf", PDFs.digital(pages: ["First page"]))
        let value = option == "--pdf-a" ? "2b" : "60"
        let messages = try imported([path, "-p", "none", option, value]).messages
        #expect(messages.contains("bookmarks, form fields, attachments and tags are not in"))
    }

    @Test("An encrypted PDF becomes pictures, with a report")
    func encrypted() throws {
        let plain = try file("plain.pdf", PDFs.digital(pages: ["First page"]))
        let path = program.home.path + "/in.pdf"
        _ = try #require(
            try tool(
                "qpdf", "--encrypt", "", "owner", "256", "--modify=none", "--", plain, path))
        let (messages, bytes) = try imported([path, "-p", "none"])
        #expect(messages.contains("Page 1: The PDF is encrypted"))
        #expect(bytes.range(of: Data(PDFs.content("First page").utf8)) == nil)
        #expect(try info("Encrypted") == "no")
    }

    @Test("A request for a picture format gets pictures")
    func pictures() throws {
        let path = try file("in.pdf", PDFs.digital(pages: ["First page"]))
        let bytes = try imported([path, "-p", "none", "--pdf-compression", "jpeg"]).bytes
        #expect(bytes.range(of: Data(PDFs.content("First page").utf8)) == nil)
        #expect(
            try tool("pdftotext", program.home.path + "/out.pdf", "-")?.contains("First page")
                == true)
    }
}
