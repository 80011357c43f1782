import CommandLine
import FileNames
import Testing

@Suite struct ParserTests {
    typealias P = SampleProgram

    @Test(
        "An option's value may be in each of the usual places",
        arguments: [
            ["scan", "--device", "a"], ["scan", "--device=a"],
            ["--verbose", "scan", "--device", "a"],
            ["scan", "-v", "--device=a"], ["scan", "-jv", "--device=a"],
        ])
    func valuePlaces(line: [String]) throws {
        #expect(try P.run(line).text(P.device) == "a")
    }

    @Test(
        "Repeated options keep their order",
        arguments: [
            (["-o", "a", "-ob", "--output", "c", "--output=d"], ["a", "b", "c", "d"]),
            (["-jo", "x y", "-vjoz"], ["x y", "z"]), (["-o", "-", "-o-"], ["-", "-"]),
            (["-o=a"], ["=a"]), (["--output=a=b"], ["a=b"]), ([], []),
        ])
    func repeated(words: [String], expected: [String]) throws {
        #expect(try P.run(["scan"] + words).texts(P.output) == expected)
    }

    @Test(
        "Numbers may be negative",
        arguments: [
            (["--pages", "-3"], -3), (["--pages=-3"], -3), (["-n", "-3"], -3), (["-n-3"], -3),
            (["-n5"], 5),
        ])
    func negative(words: [String], expected: Int) throws {
        #expect(try P.run(["scan"] + words).integer(P.pages) == expected)
    }

    @Test("A decimal number is read, and an option that is not given has its default")
    func numbers() throws {
        #expect(try P.run(["scan", "--contrast", "-0.5"]).number(P.contrast) == -0.5)
        #expect(try P.run(["scan"]).number(P.contrast) == 1.1)
        #expect(try P.run(["scan"]).integer(P.pages) == nil)
        #expect(try !P.run(["scan"]).isGiven(P.contrast))
    }

    /// A word that the program gets from these bytes.
    private static func given(_ text: String) -> String { FileNames.text(Array(text.utf8)) }

    @Test(
        "Text is accepted as typed, with any characters, and a path with its bytes",
        arguments: [
            "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}", "1\u{FE0F}\u{20E3}",
            "\u{1F468}\u{200D}\u{1F469}", "\u{200F}x", "two\nlines", "\u{10FF41}",
        ])
    func plain(text: String) throws {
        let word = Self.given(text)
        let line = ["scan", "--title", word, "--set", "a=" + word, "--output", word]
        let parsed = try P.run(line)
        #expect(parsed.text(P.title).map { Array($0.utf8) } == Array(text.utf8))
        #expect(parsed.pairs(P.set).first.map { Array($0.value.utf8) } == Array(text.utf8))
        #expect(parsed.texts(P.output) == [word])
    }

    @Test("Text that is not UTF-8 is refused, with its bytes; a path need not be UTF-8")
    func notUTF8() throws {
        let word = FileNames.text(Array("Brief".utf8) + [0xE4])
        #expect { try P.run(["scan", "--title", word]) } throws: { error in
            (error as? UsageError)?.message.hasPrefix(
                "--title takes text in UTF-8, not 'Brief\\xe4'.") == true
        }
        #expect(try P.run(["import", word]).texts(P.paths) == [word])
    }

    @Test("A pair is divided at its first equals sign")
    func pairs() throws {
        let line = ["scan", "--set", "a=b=c", "--set=mode=gray", "--set", "empty="]
        let pairs = try P.run(line).pairs(P.set)
        #expect(pairs.map(\.name) == ["a", "mode", "empty"])
        #expect(pairs.map(\.value) == ["b=c", "gray", ""])
    }

    @Test(
        "Positional arguments take words, numbers and the hyphen",
        arguments: [
            (["import", "a", "b"], ["a", "b"]), (["import", "-"], ["-"]),
            (["import", "--", "-a", "--json"], ["-a", "--json"]), (["import", "-5"], ["-5"]),
            (["import", "a", "-j", "b"], ["a", "b"]), (["import", "--", "--"], ["--"]),
            (["--", "import", "help"], ["help"]),
        ])
    func positionals(line: [String], expected: [String]) throws {
        #expect(try P.run(line).texts(P.paths) == expected)
    }

    @Test("Nested commands are found, and an optional argument may be missing")
    func nested() throws {
        let given = try P.run(["device", "default", "epson"])
        #expect(given.path == ["stand", "device", "default"])
        #expect(given.text(P.maybe) == "epson")
        #expect(try P.run(["device", "default"]).text(P.maybe) == nil)
        let both = try P.run(["device", "alias", "desk", "bash"])
        #expect(both.text(P.name) == "desk" && both.text(P.shell) == "bash")
    }

    @Test("An option may stand in for the required arguments")
    func waived() throws {
        #expect(try P.run(["completions", "--values", "x"]).text(P.values) == "x")
    }

    @Test(
        "Help takes precedence wherever it is requested",
        arguments: [
            (["--help"], ["stand"]), (["-h"], ["stand"]), (["help"], ["stand"]),
            (["help", "scan"], ["stand", "scan"]), (["scan", "--bogus", "-h"], ["stand", "scan"]),
            (["device", "--help"], ["stand", "device"]),
            (["scan", "--help", "extra"], ["stand", "scan"]),
            (["help", "device", "alias"], ["stand", "device", "alias"]),
            (["import", "--help"], ["stand", "import"]),
        ])
    func help(line: [String], path: [String]) throws {
        guard case .help(let commands, _) = try P.parse(line) else {
            Issue.record("no help for \(line)")
            return
        }
        #expect(commands.map(\.name) == path)
    }

    @Test("A value may be the word --help")
    func helpAsValue() throws {
        #expect(try P.run(["scan", "--title=--help"]).text(P.title) == "--help")
        #expect(try P.run(["import", "--", "--help"]).texts(P.paths) == ["--help"])
    }

    @Test("The version is shown for --version", arguments: [["--version"], ["scan", "--version"]])
    func version(line: [String]) throws {
        guard case .version(false) = try P.parse(line) else {
            Issue.record("no version for \(line)")
            return
        }
    }

    @Test("A hidden command runs")
    func hidden() throws { #expect(try P.run(["secret"]).path == ["stand", "secret"]) }
}
