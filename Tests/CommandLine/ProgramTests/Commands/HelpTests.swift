import Testing

@Suite struct ProgramHelpTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    @Test("The program's help goes to standard output, in 80 columns and without colors")
    func topLevel() throws {
        let run = try BuiltProgram.run(["--help"], in: home)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(!run.output.contains("\u{1B}"))
        for command in [
            "scan", "import", "devices", "options", "device", "profiles", "backends", "doctor",
            "completions",
        ] {
            #expect(run.output.contains("\n  \(command) "), "\(command)")
        }
        for code in ["0 ", "1 ", "2 ", "3 ", "4 ", "5 ", "130 "] {
            #expect(run.output.contains("\n  \(code)"), "\(code)")
        }
        #expect(!run.output.contains("man-page"))
    }

    @Test("The help of a subcommand has exactly this text")
    func golden() throws {
        let run = try BuiltProgram.run(["device", "alias", "-h"], in: home)
        #expect(
            run.output == """
                copystand device alias: Give a device a lasting name of your own

                Usage: copystand device alias NAME DEVICE

                Arguments:
                  NAME    Your name for the device, without a colon.
                  DEVICE  The device: BACKEND:NAME, a name you gave it, or any part of its name
                          or model that matches only one device.

                Common options:
                  -h, --help      Show this help and stop.
                      --version   Show the version and stop.
                  -v, --verbose   Show more about what is done.
                  -q, --quiet     Show only what went wrong.
                      --no-color  Don't use colors.

                Examples:
                  Call it 'desk':
                    copystand device alias desk epson

                """)
    }

    @Test(
        "'help COMMAND' is the same as 'COMMAND --help'",
        arguments: [["scan"], ["device", "default"]])
    func helpCommand(words: [String]) throws {
        let asked = try BuiltProgram.run(["help"] + words, in: home)
        let option = try BuiltProgram.run(words + ["--help"], in: home)
        #expect(asked.output == option.output)
        #expect(asked.output.contains("Usage: copystand \(words.joined(separator: " "))"))
    }

    @Test("The version is one line")
    func version() throws {
        let run = try BuiltProgram.run(["--version"], in: home)
        #expect(run.output.wholeMatch(of: /copystand \d+\.\d+\.\d+\n/) != nil)
        #expect(run.status == 0)
    }

    @Test(
        "On a terminal headings are bold, unless NO_COLOR, --no-color or a dumb terminal says otherwise"
    )
    func colors() throws {
        func screen(_ options: String, _ environment: [String: String] = [:]) throws -> String {
            try BuiltProgram.shell(
                "script -qec \"$P \(options)\" /dev/null", in: home, environment: environment
            ).output
        }
        let bold = "\u{1B}[1mUsage:\u{1B}[0m"
        #expect(try screen("--help").contains(bold))
        #expect(try screen("--help", ["NO_COLOR": ""]).contains(bold))
        #expect(try !screen("--help", ["NO_COLOR": "1"]).contains("\u{1B}"))
        #expect(try !screen("--help", ["TERM": "dumb"]).contains("\u{1B}"))
        #expect(try !screen("--help --no-color").contains("\u{1B}"))
    }

    @Test("A full disk under standard output is an error, but a closed reader is not")
    func outputFails() throws {
        let full = try BuiltProgram.run(["--help"], in: home, outputTo: "/dev/full")
        #expect(full.status == 1)
        #expect(full.errors.contains("can't be written to standard output: No space left"))
        let left = try BuiltProgram.shell("$P man-page | true", in: home)
        #expect(left.errors == "")
    }
}
