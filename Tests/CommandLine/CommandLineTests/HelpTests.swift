@testable import CommandLine
import Testing

@Suite struct HelpTests {
    private func page(_ path: [String], _ terminal: Terminal) -> String {
        var commands = [SampleProgram.root]
        for name in path {
            commands += commands[commands.count - 1].subcommands.filter { $0.name == name }
        }
        return HelpPage(for: commands, terminal: terminal).text
    }

    @Test("The help of a command has every section in order")
    func wholePage() {
        #expect(
            page(["scan"], Terminal(isTerminal: false)) == """
                stand scan: scan pages: all of them

                Usage: stand scan [--device DEVICE] [-o FILE]... [--set OPTION=VALUE]... [-n N]
                       [--contrast X] [--mode MODE] [--title TEXT] [--folder FOLDER] [-j]

                Scans.

                Options:
                      --device DEVICE     Use this device: its name or a part of it. More text.
                  -o, --output FILE       Write the document here. May be given several times.
                      --set OPTION=VALUE  Set an option. May be given several times.
                  -n, --pages N           Stop after N pages.
                      --contrast X        Contrast. Default: 1.1.
                      --mode MODE         The colors. One of: color, gray, lineart.
                      --title TEXT        The title, it's [free]: text.
                      --folder FOLDER     A folder.
                  -j, --json              Print JSON.

                Common options:
                  -h, --help      Show this help and stop.
                      --version   Show the version and stop.
                  -v, --verbose   Show more about what is done.
                  -q, --quiet     Show only what went wrong.
                      --no-color  Don't use colors.

                Examples:
                  Three pages:
                    stand scan --pages 3

                """)
    }

    @Test("The program's help lists its visible commands and its exit codes")
    func topLevel() {
        let text = page([], Terminal(isTerminal: false))
        #expect(text.contains("Usage: stand COMMAND [options]\n"))
        #expect(text.contains("\nCommands:\n  scan         scan pages: all of them\n"))
        #expect(text.contains("\nExit codes:\n  0    Done.\n  130  Canceled.\n"))
        #expect(!text.contains("secret"))
        #expect(!text.contains("--values"))
    }

    @Test(
        "No line is wider than the terminal, or than 100 columns",
        arguments: [40, 60, 80, 100, 300])
    func width(columns: Int) {
        for path in [[], ["scan"], ["import"], ["device", "alias"]] {
            let terminal = Terminal(isTerminal: true, width: columns, hasColor: false)
            let lines = page(path, terminal).split(separator: "\n")
            let widest = lines.map(\.displayWidth).max() ?? 0
            #expect(widest <= min(columns, 100), "\(path)")
        }
    }

    @Test("Headings are bold only where colors are on")
    func color() {
        let colored = page([], Terminal(isTerminal: true, width: 80, hasColor: true))
        #expect(colored.contains("\u{1B}[1mUsage:\u{1B}[0m"))
        #expect(!page([], Terminal(isTerminal: true, hasColor: false)).contains("\u{1B}"))
    }

    @Test("A word wider than a line is on a separate line")
    func longWord() {
        #expect(TextWrap.lines("a bbbbbbbbbb c", width: 4) == ["a", "bbbbbbbbbb", "c"])
        #expect(TextWrap.lines("", width: 4) == [""])
        #expect(TextWrap.lines("日本 語", width: 6) == ["日本", "語"])
    }
}
