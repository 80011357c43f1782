import CommandLine
import Testing

@Suite struct UsageErrorTests {
    typealias P = SampleProgram

    struct Case: CustomTestStringConvertible, Sendable {
        let line: [String]
        let says: String
        let see: String
        var testDescription: String { line.joined(separator: " ") }
        init(_ line: [String], _ says: String, see: String = "stand scan") {
            self.line = line
            self.says = says
            self.see = see
        }
    }

    @Test(
        "Each mistake is reported with the nearest names and the place of help",
        arguments: [
            Case(["scna"], "there is no command 'scna'. Did you mean 'scan'?", see: "stand"),
            Case(["xyzzy"], "there is no command 'xyzzy'.", see: "stand"),
            Case([""], "there is no command ''.", see: "stand"),
            Case([], "'stand' needs a command after it: ", see: "stand"),
            Case(["-v"], "'stand' needs a command after it: ", see: "stand"),
            Case(
                ["device"], "'stand device' needs a command after it: default or alias.",
                see: "stand device"),
            Case(
                ["device", "defualt"], "there is no command 'defualt'. Did you mean 'default'?",
                see: "stand device"),
            Case(
                ["scan", "--devise", "x"], "there is no option '--devise'. Did you mean '--device'?"
            ),
            Case(["scan", "--dev=x"], "there is no option '--dev'. Did you mean '--device'?"),
            Case(["scan", "-device"], "there is no option '-device'. Did you mean '--device'?"),
            Case(["scan", "-jx"], "there is no option '-x'."),
            Case(["scan", "-"], "there is no place for the argument '-'."),
            Case(["scan", "---"], "there is no option '---'."),
            Case(["scan", "--=x"], "there is no option '--'."),
            Case(
                ["--device", "x", "scan"],
                "the option '--device' goes after the command: 'stand scan --device'.", see: "stand"
            ),
            Case(["scan", "--device"], "--device needs a value: --device DEVICE."),
            Case(["scan", "--device", "--json"], "--device needs a value: --device DEVICE."),
            Case(["scan", "--device", "--"], "--device needs a value: --device DEVICE."),
            Case(
                ["scan", "--title", "-x-"],
                "--title needs a value: --title TEXT. "
                    + "If '-x-' is the value, write it as one word: --title=-x-."),
            Case(["scan", "-o"], "--output needs a value: --output FILE."),
            Case(["scan", "--device="], "--device takes a value that is not empty, not ''."),
            Case(["scan", "--json=yes"], "--json takes no value, but 'yes' was given."),
            Case(["scan", "--device", "a", "--device", "b"], "--device may be given only once."),
            Case(
                ["scan", "--pages", "x"], "--pages takes a whole number from -5 to 9999, not 'x'."),
            Case(
                ["scan", "--pages", "-6"], "--pages takes a whole number from -5 to 9999, not '-6'."
            ),
            Case(["scan", "-n", "99999999999999999999"], "not '99999999999999999999'."),
            Case(
                ["scan", "--contrast", "nan"],
                "--contrast takes a number from -1.0 to 2.5, not 'nan'."),
            Case(["scan", "--set", "x"], "--set takes NAME=VALUE, not 'x'."),
            Case(["scan", "--set", "=x"], "--set takes NAME=VALUE, not '=x'."),
            Case(
                ["scan", "--mode", "grai"],
                "--mode takes color, gray or lineart, not 'grai'. Did you mean 'gray'?"),
            Case(["scan", "-vq"], "--verbose and --quiet can't be given together."),
            Case(["scan", "extra"], "there is no place for the argument 'extra'."),
            Case(["import"], "PATH is missing.", see: "stand import"),
            Case(
                ["import", ""], "PATH takes a value that is not empty, not ''.", see: "stand import"
            ),
            Case(["device", "alias", "x"], "SHELL is missing.", see: "stand device alias"),
            Case(
                ["device", "alias", "x", "fish"], "SHELL takes bash or zsh, not 'fish'.",
                see: "stand device alias"),
            Case(["scan", "--bogus", "--pages", "x"], "there is no option '--bogus'."),
            Case(["scan", "-\u{301}"], "there is no option '-\u{301}'."),
            Case(["scan", "--\u{1B}[31mred\u{7}"], "there is no option '--red'."),
        ])
    func mistakes(test: Case) throws {
        let error = try #require(P.mistake(test.line))
        #expect(error.message.contains(test.says), "\(error.message)")
        #expect(error.message.hasSuffix("\nSee '\(test.see) --help'."), "\(error.message)")
    }
}
