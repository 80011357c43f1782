import Testing

@Suite struct ProgramUsageTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    @Test(
        "A wrong command line ends with exit code 2, the reason, and the place of help",
        arguments: [
            ([], "'copystand' needs a command after it: scan, ", "copystand"),
            (["scna"], "there is no command 'scna'. Did you mean 'scan'?", "copystand"),
            (["man-pag"], "there is no command 'man-pag'.", "copystand"),
            (
                ["scan", "--devcie", "x"],
                "there is no option '--devcie'. Did you mean '--device'?", "copystand scan"
            ),
            (
                ["scan", "--pages", "0"],
                "--pages takes a whole number from 1 to 1000000, not '0'.",
                "copystand scan"
            ),
            (["scan", "--set", "mode"], "--set takes NAME=VALUE, not 'mode'.", "copystand scan"),
            (
                ["scan", "--password", "x", "--password-file", "y"],
                "--password-file and --password can't be given together.", "copystand scan"
            ),
            (["import"], "PATH is missing.", "copystand import"),
            (["options"], "DEVICE is missing.", "copystand options"),
            (
                ["profiles"],
                "'copystand profiles' needs a command after it: list, show, copy, check or schema.",
                "copystand profiles"
            ),
            (
                ["completions", "tcsh"], "SHELL takes bash, zsh or fish, not 'tcsh'.",
                "copystand completions"
            ),
            (
                ["device", "default", "x", "--clear"],
                "DEVICE and --clear can't be given together.",
                "copystand device default"
            ),
        ])
    func mistakes(line: [String], says: String, see: String) throws {
        let run = try BuiltProgram.run(line, in: home)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("copystand: \(says)"), "\(run.errors)")
        #expect(run.errors.hasSuffix("\nSee '\(see) --help'.\n"), "\(run.errors)")
    }

    @Test(
        "A missing document has its exit code and advice",
        arguments: [
            (["devices", "--backend", "virtaul"], Int32(2), "Did you mean 'virtual'?"),
            (["options", "virtual:nothing"], 3, "flatbed"),
            (["options", "no-such-thing"], 3, "copystand devices"),
            (["options", "virtual"], 3, "virtual:flatbed"),
            (["device", "default"], 3, "use a virtual device: -d virtual:flatbed"),
            (["options", "camera"], 3, "no camera was found"),
            (["device", "unalias", "desk"], 2, "'desk'"),
            (["device", "alias", "a:b", "virtual:flatbed"], 2, "no colon"),
            (["profiles", "show", "documnet"], 2, "Did you mean 'document'?"),
            (["profiles", "check", "/nowhere/x.json5"], 2, "/nowhere/x.json5"),
        ])
    func absent(line: [String], status: Int32, says: String) throws {
        let run = try BuiltProgram.run(line, in: home)
        #expect(run.status == status)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("copystand: "), "\(run.errors)")
        #expect(run.errors.contains(says), "\(run.errors)")
    }

    @Test("Typed text reaches the terminal without escape sequences")
    func sanitized() throws {
        let run = try BuiltProgram.run(["\u{1B}]0;x\u{07}\u{1B}[31mscna"], in: home)
        let shown = #"\x1b]0;x\x07\x1b[31mscna"#
        #expect(run.errors.hasPrefix("copystand: there is no command '\(shown)'."))
        #expect(!run.errors.utf8.contains(0x1B) && !run.errors.utf8.contains(0x07))
    }
}
