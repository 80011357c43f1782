import CommandLine
import Testing

@Suite struct ParserTests {
    typealias P = SampleProgram

    @Test(
        "An option's value may stand in each of the usual places",
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

    @Test("A decimal number is read, and a default stands in")
    func numbers() throws {
        #expect(try P.run(["scan", "--contrast", "-0.5"]).number(P.contrast) == -0.5)
        #expect(try P.run(["scan"]).number(P.contrast) == 1.1)
        #expect(try P.run(["scan"]).integer(P.pages) == nil)
        #expect(try !P.run(["scan"]).isGiven(P.contrast))
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
        "Help wins wherever it is asked for",
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
        guard case .version = try P.parse(line) else {
            Issue.record("no version for \(line)")
            return
        }
    }

    @Test("A hidden command runs")
    func hidden() throws { #expect(try P.run(["secret"]).path == ["stand", "secret"]) }
}
