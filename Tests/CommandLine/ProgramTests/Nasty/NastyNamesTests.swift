import FileNames
import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests the whole program with file names of arbitrary bytes.
@Suite struct NastyNamesTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    /// Names as bytes, without an extension.
    static let names: [[UInt8]] = [
        [0xFF], Array("a".utf8) + [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], Array("é".utf8),
        Array("e\u{301}".utf8), Array("a\nb".utf8), Array("a\r\nb\tc".utf8),
        Array("\u{1B}[31mred".utf8), Array("-o".utf8), Array(" x ".utf8), Array("x.".utf8),
        Array("{n}".utf8), Array("{title}%s".utf8), Array("a'b\"c\\d`$(e)".utf8),
        Array("\u{202E}fdp".utf8), Array("\u{9B}31m\u{200F}".utf8), Array("\u{301}x".utf8),
        Array("\u{10FFFF}".utf8), [UInt8](repeating: 0xFE, count: 250),
        [UInt8](repeating: 0x0A, count: 250),
    ]

    private func picture(_ path: String) {
        let bytes = Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 200, count: 64 * 48)
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        _ = write(file, bytes, bytes.count)
        close(file)
    }

    private struct Told: Decodable {
        struct Receipt: Decodable { var locations: [String] }
        var delivered: [Receipt]
    }

    @Test("Files of any name are imported and written", arguments: names)
    func inAndOut(name: [UInt8]) throws {
        let source = home.path + "/in"
        mkdir(source, 0o700)
        let text = FileNames.text(name)
        picture(source + "/" + text + ".pgm")
        let target = home.path + "/" + text + ".tif"
        let run = try BuiltProgram.run(
            ["import", source + "/" + text + ".pgm", "-p", "none", "-o", target, "--json"], in: home
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(access(target, F_OK) == 0)
        let shown = run.output.unicodeScalars.filter { $0 != "\n" }
        #expect(!shown.contains(where: FileNames.isUnsafe))
        let told = try JSONDecoder().decode(Told.self, from: Data(run.output.utf8))
        #expect(
            told.delivered.flatMap(\.locations).map { FileNames.bytes($0) } == [
                FileNames.bytes(target)
            ])
        let lines = run.errors.unicodeScalars.filter { $0 != "\n" }
        #expect(!lines.contains(where: FileNames.isUnsafe))
        #expect(!(FileNames.names(in: home.path) ?? []).contains { $0.hasSuffix(".partial") })
    }

    @Test("A folder with files of any names is imported completely, whatever its own name")
    func folder() throws {
        let source = home.path + "/" + FileNames.text([0xFF, 0x0A] + Array("x".utf8))
        mkdir(source, 0o700)
        for name in Self.names { picture(source + "/n" + FileNames.text(name) + ".pgm") }
        let run = try BuiltProgram.run(
            ["import", source, "-p", "none", "-o", home.path + "/all.tif", "--json"], in: home)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("\"pages\" : \(Self.names.count)"), "\(run.output)")
    }

    @Test("A file with a very long path is imported from its folder")
    func deep() throws {
        var path = home.path
        for _ in 0..<20 {
            path += "/" + String(repeating: "d", count: 250)
            try #require(mkdir(path, 0o700) == 0)
        }
        picture(path + "/p.pgm")
        try #require(chdirAndRun(path) == 0)
        #expect(access(path + "/o.tif", F_OK) == 0)
    }

    /// Runs an import in a folder whose path is entered step by step, since it is too long for one
    /// call.
    private func chdirAndRun(_ path: String) throws -> Int32 {
        let steps = path.dropFirst(home.path.count + 1)
        let program = """
            import os, sys
            os.chdir(sys.argv[1])
            for step in sys.argv[2].split("/"): os.chdir(step)
            os.execv(os.environ["P"], ["copystand", "import", "p.pgm", "-p", "none", "-o", "o.tif"])
            """
        return try BuiltProgram.shell(
            "python3 -c '\(program.replacing("'", with: "\""))' \(home.path) \(steps)", in: home
        ).status
    }

    @Test(
        "Folders of the environment may have any name",
        arguments: [[0xFF, 0x41], [0x61, 0x0A, 0x62]])
    func environment(name: [UInt8]) throws {
        let place = home.path + "/" + FileNames.text(name)
        picture(home.path + "/p.pgm")
        let environment = [
            "XDG_DATA_HOME": place + "/data", "COPYSTAND_SPOOL": place + "/spool",
            "XDG_CONFIG_HOME": place + "/config",
        ]
        let run = try BuiltProgram.run(
            ["import", home.path + "/p.pgm", "-p", "none"], in: home, environment: environment)
        #expect(run.status == 0, "\(run.errors)")
        #expect(access(place + "/data/copystand/archive.sqlite", F_OK) == 0)
        #expect(access(place + "/spool", F_OK) == 0)
        let list = try BuiltProgram.run(["list"], in: home, environment: environment)
        #expect(list.status == 0 && list.output.contains("p"), "\(list.errors)")
    }

    @Test("A sink's template and a page's corrected text may have any name")
    func otherPaths() throws {
        let odd = FileNames.text([0x62, 0xFF])
        let place = home.path + "/" + odd
        mkdir(place, 0o700)
        picture(home.path + "/p.pgm")
        let lines = [
            "$P sinks add shelf -k file --template $PWD/{title}.png",
            "$P import ../p.pgm -p none --sink shelf --sink archive",
            "echo corrected > $(printf 't\\377'); $P edit 1 --text 1 $(printf 't\\377')",
        ]
        for line in lines {
            let run = try BuiltProgram.shell(
                "cd \(home.path)/$(printf 'b\\377') && \(line)", in: home)
            #expect(run.status == 0, "\(line): \(run.errors)")
        }
        #expect(access(place + "/p.png", F_OK) == 0)
        let shown = try BuiltProgram.shell("$P show 1 --text", in: home)
        #expect(shown.output.contains("corrected"), "\(shown.output)")
    }

    @Test(
        "An option for a file accepts any name, and reports an unreadable file",
        arguments: [
            "serve --certificate X --key X", "backend trace ./X -- devices",
        ])
    func missing(line: String) throws {
        let words = line.replacing("X", with: "$(printf 'm\\377')")
        let run = try BuiltProgram.shell("$P \(words)", in: home)
        #expect(run.status == 2 && !run.errors.contains("UTF-8"), "\(run.errors)")
    }

    @Test("Standard input, a pipe and a descriptor of the shell are read")
    func streams() throws {
        picture(home.path + "/p.pgm")
        let lines = [
            "cat p.pgm | $P import - -p none -o 1.tif", "$P import - -p none -o 2.tif < p.pgm",
            "$P import /dev/fd/7 -p none -o 3.tif 7< p.pgm",
            "$P import /proc/self/fd/7 -p none -o 4.tif 7< p.pgm",
            "mkfifo pipe; cat p.pgm > pipe & $P import pipe p.pgm -p none -o 5.tif",
            "bash -c '$P import <(cat p.pgm) <(cat p.pgm) -p none -o 6.tif'",
        ]
        for line in lines {
            let run = try BuiltProgram.shell("cd \(home.path) && " + line, in: home)
            #expect(run.status == 0, "\(line): \(run.errors)")
        }
    }

    @Test("Standard input that is named twice, or is empty, is refused with the reason")
    func twice() throws {
        let twice = try BuiltProgram.shell("cd \(home.path); $P import - - -o x.pdf", in: home)
        #expect(
            twice.status == 2 && twice.errors.contains("named more than once"), "\(twice.errors)")
        let empty = try BuiltProgram.shell("cd \(home.path); $P import - -o x.pdf", in: home)
        #expect(
            empty.status == 2 && empty.errors.contains("Standard input is empty"), "\(empty.errors)"
        )
    }

    @Test("What a killed run left next to its output is removed by the next run")
    func leftovers() throws {
        picture(home.path + "/p.pgm")
        let own = ProcessMark.own.text.split(separator: "-")
        let left = ".o.tif.k3x0qa.\(own[0])-\(own[1])-1.partial"
        try home.write(left, "half")
        try home.write(".o.tif.k3x0qa.partial", "a user's")
        let run = try BuiltProgram.run(
            ["import", home.path + "/p.pgm", "-p", "none", "-o", home.path + "/o.tif"], in: home)
        #expect(run.status == 0, "\(run.errors)")
        #expect(access(home.path + "/" + left, F_OK) != 0)
        #expect(access(home.path + "/.o.tif.k3x0qa.partial", F_OK) == 0)
    }
}
