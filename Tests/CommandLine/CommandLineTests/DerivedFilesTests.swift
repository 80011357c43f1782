import CommandLine
import Testing

/// Tests the man page and the completion scripts with the programs that read them.
@Suite struct DerivedFilesTests {
    @Test(
        "The man page passes mandoc's checks",
        .enabled(if: Tool.isInstalled("mandoc"), "mandoc is not installed"))
    func manualPage() throws {
        let page = ManualPage(SampleProgram.root, version: "1.2.3", date: "November 21, 2026").text
        let lint = try Tool.run("mandoc", ["-T", "lint", "-W", "warning"], input: page)
        #expect(lint.output == "" && lint.status == 0, "\(lint.output)")
        let shown = try Tool.run("mandoc", ["-T", "utf8"], input: page).output
            .replacing(#/.\u{8}/#, with: "")
        #expect(shown.contains("-o, --output FILE"))
        #expect(shown.contains("Use this device: its name or a part of it."))
        #expect(shown.contains("'.pdf' files, with \\ and - in them."))
        #expect(shown.contains("stand scan -o 'a b.pdf'"))
        #expect(shown.contains("EXIT STATUS"))
        #expect(!shown.contains("secret"))
    }

    @Test("Every shell reads its script", arguments: Shell.allCases)
    func syntax(shell: Shell) throws {
        guard Tool.isInstalled(shell.rawValue) else {
            try Test.cancel("\(shell.rawValue) is not installed")
        }
        let result = try Tool.run(
            shell.rawValue, ["-n", "/dev/stdin"],
            input: shell.completionScript(for: SampleProgram.root))
        #expect(result.status == 0 && result.output == "", "\(result.output)")
    }

    struct Line: Sendable, CustomTestStringConvertible {
        let typed: String
        let offers: [String]
        var testDescription: String { typed }
        init(_ typed: String, _ offers: [String]) {
            self.typed = typed
            self.offers = offers
        }
    }

    /// The words after `stand `, and the expected completions.
    ///
    /// A substitute for the program provides the `virtual:…` devices.
    static let lines = [
        Line("sc", ["scan"]),
        Line("", ["scan", "import", "device", "completions"]),
        Line("device ", ["default", "alias"]),
        Line("device d", ["default"]),
        Line("-v device --no-color al", ["alias"]),
        Line("scan --dev", ["--device"]),
        Line("scan --mode ", ["color", "gray", "lineart"]),
        Line("scan --mode g", ["gray"]),
        Line("scan -o x.pdf --mode l", ["lineart"]),
        Line("completions ", ["bash", "zsh"]),
        Line("device alias x z", ["zsh"]),
    ]

    @Test(
        "In bash, completions fit the context",
        .enabled(if: Tool.isInstalled("bash"), "bash is not installed"),
        arguments: lines + [
            // Bash treats ':' and '=' as the ends of words, and replaces only the part after the
            // last one.
            Line("scan --device vir", ["virtual:flatbed", "virtual:feeder\\ 2"]),
            Line("scan --device virtual:fl", ["flatbed"]),
            Line("scan --device=virtual:fl", ["flatbed"]),
            Line("scan --device=", ["virtual:flatbed", "virtual:feeder\\ 2"]),
            Line("scan --mode=g", ["gray"]),
            Line("scan -o /et", ["/etc"]),
            Line("scan --folder /et", ["/etc"]),
            Line("scan -- --dev", []),
        ])
    func bash(line: Line) throws {
        let script =
            Shell.bash.completionScript(for: SampleProgram.root) + """

                stand() { printf 'virtual:flatbed\\tA flatbed\\nvirtual:feeder 2\\tA feeder\\n'; }
                COMP_LINE='stand \(line.typed)' COMP_POINT=${#COMP_LINE}
                COMP_WORDS=(\(Self.bashWords("stand " + line.typed)))
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _stand
                printf '%s\\n' "${COMPREPLY[@]}"
                """
        let result = try Tool.run("bash", ["-u", "/dev/stdin"], input: script)
        let offered = result.output.split(separator: "\n").map(String.init)
        #expect(offered.sorted() == line.offers.sorted(), "\(result.output)")
    }

    /// Divides a line into words as bash's line editor does.
    static func bashWords(_ line: String) -> String {
        var words = [""]
        for character in line {
            switch character {
            case " ": words.append("")
            case ":", "=": words += [String(character), ""]
            default: words[words.count - 1].append(character)
            }
        }
        // An empty word after ':' or '=' is not a separate word.
        if words.count > 1, words.last == "", !line.hasSuffix(" ") { words.removeLast() }
        return words.map { "'\($0)'" }.joined(separator: " ")
    }

    @Test(
        "In fish, completions fit the context",
        .enabled(if: Tool.isInstalled("fish"), "fish is not installed"),
        arguments: lines + [
            Line("scan --device vir", ["virtual:feeder 2", "virtual:flatbed"]),
            Line("scan --device=virtual:fl", ["--device=virtual:flatbed"]),
            Line("scan --folder /et", ["/etc/"]),
        ])
    func fish(line: Line) throws {
        let script =
            Shell.fish.completionScript(for: SampleProgram.root) + """

                function stand; printf 'virtual:flatbed\\tA flatbed\\nvirtual:feeder 2\\tA \
                feeder\\n'; end
                complete -C 'stand \(line.typed)'
                """
        let result = try Tool.run("fish", ["--no-config", "/dev/stdin"], input: script)
        let offered = result.output.split(separator: "\n").map { line in
            String(line.split(separator: "\t")[0])
        }
        #expect(offered.sorted() == line.offers.sorted(), "\(result.output)")
    }

    @Test(
        "In zsh, completion works in a real terminal",
        .enabled(if: Tool.isInstalled("zsh"), "zsh is not installed"),
        arguments: [
            // The typed text before a tab, and the expected rest of the line.
            ("stand impo", "import "), ("stand device ali", "alias "),
            ("stand scan --devi", "device"),
            ("stand scan --mode li", "lineart "), ("stand scan --device virtual:fl", "flatbed "),
            ("stand scan --device=virtual:fl", "flatbed "),
            ("stand -v scan -j -o /etc/host", "hosts"),
            ("stand completions z", "zsh "), ("stand device alias virtual:fl", "flatbed "),
            ("stand scan --folder /et", "etc/"),
        ])
    func zsh(typed: String, becomes: String) throws {
        let script = """
            dir=$(mktemp -d)
            trap 'rm -rf $dir' EXIT
            cat >$dir/_stand <<'SCRIPT'
            \(Shell.zsh.completionScript(for: SampleProgram.root))
            SCRIPT
            print -r -- '#!/bin/sh' >$dir/stand
            print -r -- "printf 'virtual:flatbed\\tA flatbed\\nvirtual:feeder 2\\tA feeder\\n'" \
            >>$dir/stand
            chmod +x $dir/stand
            zmodload zsh/zpty
            zpty line "TERM=dumb PATH=$dir:$PATH zsh -f -i"
            zpty -w line "fpath=($dir \\$fpath); autoload -Uz compinit; compinit -u -D; print \
            rea''dy"
            zpty -r line seen '*ready*' || exit 1
            # Reading waits until the text is there, or the time limit of the whole is over.
            zpty -w -n line $'\(typed)\t'
            zpty -r line seen '*\(becomes)*'
            print found
            zpty -d line
            """
        let result = try Tool.run(
            "timeout", ["-k", "1", "30", "zsh", "-f", "/dev/stdin"], input: script)
        #expect(result.status == 0 && result.output.hasSuffix("found\n"), "\(result.output)")
    }
}
