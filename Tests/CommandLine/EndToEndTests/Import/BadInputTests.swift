import Foundation
import Testing

/// Tests all kinds of bad input: an error names the file and a remedy, the exit code is as
/// documented, and no partial file remains.
@Suite struct BadInputTests {
    let program: Program

    init() throws { program = try Program() }

    struct BadFile: CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let status: Int32
        let says: String
        var testDescription: String { name }
    }

    static let badFiles = [
        BadFile(name: "empty.jpg", bytes: [], status: 4, says: "empty"),
        BadFile(
            name: "truncated.jpg", bytes: [0xff, 0xd8, 0xff, 0xe0, 0, 16], status: 4, says: "JPEG"),
        BadFile(
            name: "mislabelled.jpg", bytes: Array("just some words\n".utf8), status: 4,
            says: "mislabelled.jpg"),
        BadFile(
            name: "truncated.pdf", bytes: Array("%PDF-1.7\n1 0 obj".utf8), status: 4, says: "PDF"),
        BadFile(
            name: "huge.png", bytes: Pictures.pngHead(width: 30_000, height: 30_000), status: 4,
            says: "30000"),
    ]

    @Test("A bad file is refused by name, and nothing is written", arguments: badFiles)
    func badFile(_ bad: BadFile) throws {
        let path = try program.home.file(bad.name, bad.bytes)
        let ending = try program.run(["import", path, "-o", "out.pdf"])
        #expect(ending.status == bad.status)
        #expect(ending.messages.contains(bad.name))
        #expect(ending.messages.contains(bad.says), "\(ending.messages)")
        #expect(program.home.visibleNames == [bad.name])
        #expect(ending.output.isEmpty)
    }

    @Test("A missing file is a wrong argument")
    func missingFile() throws {
        let ending = try program.run(["import", "nowhere.pdf", "-o", "out.pdf"])
        #expect(ending.status == 2)
        #expect(ending.messages.contains("nowhere.pdf"))
        #expect(program.home.visibleNames.isEmpty)
    }

    @Test("An unreadable file is refused by name, with the command that helps")
    func unreadableFile() throws {
        let path = try program.home.file("locked.pgm", Pictures.pgm(width: 20, height: 20))
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        let messages: String
        if geteuid() == 0 {
            // Root may read everything, so the program runs as the user `nobody`, from a folder
            // that this user can reach.
            let home = program.home.path
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: home)
            for name in ["copystand", "copystand-backend-file"] {
                // A separate process writes the file: a child process that another test starts at
                // this moment would inherit a descriptor open for writing, and then the kernel
                // refuses to run the file.
                _ = try tool("cp", Program.folder + "/" + name, home + "/" + name)
            }
            try Data(
                #"{"id": "file", "name": "Files", "version": "1", "protocol": 1, "program": "copystand-backend-file", "serves": "files"}"#
                    .utf8
            ).write(to: URL(filePath: home + "/file.json"))
            messages =
                try tool(
                    "sh", "-c",
                    "HOME=\(home) COPYSTAND_BACKENDS=\(home) setpriv --reuid 65534 --clear-groups "
                        + "\(home)/copystand import \(path) -o \(home)/out.pdf 2>&1; echo status $?"
                ) ?? ""
        } else {
            let ending = try program.run(["import", path, "-o", "out.pdf"])
            messages = ending.messages + "status \(ending.status)"
        }
        #expect(messages.contains("locked.pgm"), "\(messages)")
        #expect(messages.contains("chmod u+r"), "\(messages)")
        #expect(messages.contains("status 4"), "\(messages)")
        #expect(!FileManager.default.fileExists(atPath: program.home.path + "/out.pdf"))
    }

    @Test("A TIFF with a corrupt third page gives the others, and reports the third")
    func corruptThirdPage() throws {
        let path = try program.home.file("four.tiff", Pictures.tiff(pages: 4, broken: [3]))
        let ending = try program.run(["import", path, "--profile", "none", "-o", "out.pdf"])
        #expect(ending.status == 4)
        #expect(ending.messages.contains("page 3"), "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/out.pdf") == 3)
    }

    @Test("One bad file among good ones is reported, and the good ones are delivered")
    func oneBadFile() throws {
        let good = Pictures.pgm(width: 60, height: 80)
        let files = [
            try program.home.file("a.pgm", good), try program.home.file("b.jpg", [1, 2, 3]),
            try program.home.file("c.pgm", good),
        ]
        let ending = try program.run(["import"] + files + ["--profile", "none", "-o", "out.pdf"])
        #expect(ending.status == 4)
        #expect(ending.messages.contains("b.jpg"))
        #expect(try pageCount(program.home.path + "/out.pdf") == 2)
    }

    @Test("Upright and upside-down pages are all read")
    func mixedTurns() throws {
        let samples = Samples.path
        let ending = try program.run([
            "import", samples + "/03-invoice.png", samples + "/06-receipt.jpg", "--quiet", "-o",
            "mixed.txt",
        ])
        #expect(ending.status == 0, "\(ending.messages)")
        let text = try String(contentsOfFile: program.home.path + "/mixed.txt", encoding: .utf8)
        #expect(text.contains("492.40") && text.contains("Receipt for a Loan"))
    }

    static let sheets: [(width: Int, height: Int, gray: UInt8)] = [
        (1240, 1754, 0), (1240, 1754, 255), (1240, 1, 0), (1240, 1, 255),
    ]

    @Test(
        "Pages all black or white, and a page of one row, are delivered without text",
        arguments: sheets)
    func nothingOnIt(width: Int, height: Int, gray: UInt8) throws {
        let bytes = Pictures.pgm(width: width, height: height, gray: gray)
        let path = try program.home.file("sheet.pgm", bytes)
        let ending = try program.run([
            "import", path, "--verbose", "--keep-blank", "-o", "out.pdf", "-o", "out.txt",
        ])
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(ending.messages.contains("no text found"), "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/out.pdf") == 1)
        let text = try String(contentsOfFile: program.home.path + "/out.txt", encoding: .utf8)
        #expect(text.split(whereSeparator: \.isWhitespace).isEmpty, "\(text)")
    }

    @Test("A language that is not installed is named with its package")
    func missingLanguage() throws {
        let path = try program.home.file("page.pgm", Pictures.pgm(width: 60, height: 80))
        let ending = try program.run(["import", path, "--language", "xho", "-o", "out.pdf"])
        #expect(ending.messages.contains("'xho'"), "\(ending.messages)")
        #expect(ending.messages.contains("tesseract-ocr-xho"), "\(ending.messages)")
    }

    @Test("A picture without print comes out unchanged, and words in it are reported as doubtful")
    func scrawl() throws {
        let path = try program.home.file("scrawl.pgm", Pictures.scrawl())
        let ending = try program.run(["import", path, "--verbose", "-o", "out.pdf"])
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(
            ending.messages.contains("with little confidence")
                || ending.messages.contains("no text found"), "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/out.pdf") == 1)
    }

    @Test("A line of letters made of dots is delivered, and its doubtful text is reported")
    func dots() throws {
        let path = try program.home.file("dots.pgm", Pictures.dots("TOTAL 42"))
        let ending = try program.run(["import", path, "--verbose", "-o", "out.pdf"])
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(
            ending.messages.contains("no text found") || ending.messages.contains("read "),
            "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/out.pdf") == 1)
    }

    @Test("An encrypted PDF asks for its password, and opens with it")
    func encrypted() throws {
        let plain = try program.home.file("page.pgm", Pictures.pgm(width: 60, height: 80))
        #expect(
            try program.run(["import", plain, "--profile", "none", "-o", "plain.pdf"]).status == 0)
        let home = program.home.path
        _ = try tool(
            "qpdf", "--encrypt", "secret", "owner", "256", "--", home + "/plain.pdf",
            home + "/locked.pdf")

        let refused = try program.run(["import", "locked.pdf", "-o", "out.pdf"])
        #expect(refused.status == 4)
        #expect(
            refused.messages.contains("--password-file")
                && !refused.messages.contains("--password "),
            "\(refused.messages)")
        let wrong = try program.run([
            "import", "locked.pdf", "--password", "guess", "-o", "out.pdf",
        ])
        #expect(wrong.status == 4)
        #expect(!wrong.messages.contains("guess"), "a password never reaches a message")
        let opened = try program.run(
            ["import", "locked.pdf", "--password", "secret", "--profile", "none", "-o", "out.pdf"])
        #expect(opened.status == 0, "\(opened.messages)")
        #expect(try pageCount(home + "/out.pdf") == 1)
    }

    struct Mistake: CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        let says: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let mistakes = [
        Mistake(arguments: ["--profile", "documnet"], status: 2, says: ["documnet", "document"]),
        Mistake(
            arguments: ["--set", "resolutoin=300"], status: 2, says: ["resolutoin", "resolution"]),
        Mistake(arguments: ["--set", "mode=grai"], status: 2, says: ["grai", "gray"]),
        Mistake(arguments: ["--set", "resolution=many"], status: 2, says: ["many"]),
        Mistake(arguments: ["--step", "deskw.maximum=5"], status: 2, says: ["deskw", "deskew"]),
        Mistake(arguments: ["--no-step", "lihgt"], status: 2, says: ["lihgt", "light"]),
        Mistake(arguments: ["--pages", "none"], status: 2, says: ["none"]),
        Mistake(arguments: ["--pages", "0"], status: 2, says: ["0"]),
        Mistake(arguments: ["-o", "out.pfd"], status: 2, says: ["pfd", ".pdf"]),
        Mistake(arguments: ["--device", "virtual:fedeer"], status: 3, says: ["fedeer", "feeder"]),
        Mistake(arguments: ["-o", "nowhere/out.pdf"], status: 5, says: ["nowhere"]),
        Mistake(arguments: ["-o", "taken.pdf"], status: 5, says: ["taken.pdf"]),
    ]

    @Test(
        "The error for a typing mistake names the nearest word, before anything is scanned",
        arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let taken = try program.home.file("taken.pdf", [1])
        var arguments = ["scan"] + mistake.arguments
        if !arguments.contains("--device") { arguments += ["--device", "virtual:feeder"] }
        if !arguments.contains("-o") { arguments += ["-o", "out.pdf"] }
        let ending = try program.run(arguments)
        #expect(ending.status == mistake.status, "\(ending.messages)")
        for word in mistake.says { #expect(ending.messages.contains(word), "\(ending.messages)") }
        #expect(program.home.visibleNames == ["taken.pdf"])
        #expect(try Data(contentsOf: URL(filePath: taken)) == Data([1]))
    }
}
