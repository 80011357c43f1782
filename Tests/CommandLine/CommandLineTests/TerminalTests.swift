import CommandLine
import Testing

@Suite struct TerminalTests {
    @Test(
        "Escape sequences and control characters are removed",
        arguments: [
            ("plain – text 日本", "plain – text 日本"), ("\u{1B}[31mred\u{1B}[0m", "red"),
            ("\u{1B}]0;title\u{07}after", "after"), ("\u{1B}]8;;http://x\u{1B}\\link", "link"),
            ("\u{1B}Pdata\u{1B}\\x", "x"), ("a\u{1B}", "a"), ("a\u{1B}]never ends", "a]never ends"),
            ("a\u{1B}[12", "a[12"), ("bell\u{07}\u{08}\u{7F}", "bell"), ("c1 \u{9B}31m", "c1 31m"),
            ("two\nlines\r\nand\ttab\rend", "two lines and tab end"),
            ("name\u{202E}fdp.exe", "namefdp.exe"), ("\u{2066}x\u{2069}", "x"), ("\u{0}x", "x"),
            ("\u{1B}\u{1B}[2Jx", "x"), ("a\u{2028}b", "a b"), ("👩‍👩‍👧", "👩‍👩‍👧"),
        ])
    func sanitized(text: String, expected: String) {
        #expect(Sanitized.line(text) == expected)
    }

    @Test("No text keeps a control character", arguments: 0..<4)
    func anyText(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        let alphabet = Array(
            "\u{1B}\u{1B}\u{1B}[]PX^_\\;0123m\u{07}\u{9C}\n\r\u{0}aé\u{202E}".unicodeScalars)
        for _ in 0..<2_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                alphabet.randomElement(using: &random).map { text.append($0) }
            }
            let result = Sanitized.line(String(text))
            let isClean = result.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\u{202E}"
            }
            #expect(isClean)
            #expect(Sanitized.line(result) == result)
        }
    }

    @Test(
        "Text is as wide as a terminal shows it",
        arguments: [
            ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("\u{301}", 0), ("ｆｕｌｌ", 8), ("👍🏽", 2),
            ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("한글", 4), ("–…", 2), ("", 0), ("\u{200B}", 0),
        ])
    func width(text: String, expected: Int) {
        #expect(text.displayWidth == expected)
    }

    @Test("Text is cut at a column, never within a character")
    func truncated() {
        #expect("abcdef".truncated(toWidth: 4) == "abc…")
        #expect("日本語".truncated(toWidth: 4) == "日…")
        #expect("日本語".truncated(toWidth: 6) == "日本語")
        #expect("abc".truncated(toWidth: 0) == "")
        #expect("日".padded(toWidth: 4) + "|" == "日  |")
        #expect("7".padded(toWidth: 3, alignedRight: true) == "  7")
    }

    @Test("A file is not a terminal: 80 columns and no colors")
    func noTerminal() {
        let terminal = Terminal(descriptor: -1)
        #expect(terminal == Terminal(isTerminal: false, width: 80, hasColor: false))
        #expect(terminal.styled("x", .bold) == "x")
    }

    @Test("A table aligns its columns and cleans its cells")
    func table() {
        var table = Table([.init("DEVICE"), .init("PAGES", isAlignedRight: true), .init("NAME")])
        table.add(["virtual:flatbed", "7", "日本 \u{1B}[31mred"])
        table.add(["x", "12"])
        #expect(
            table.text(for: Terminal(isTerminal: false)) == """
                DEVICE           PAGES  NAME
                virtual:flatbed      7  日本 red
                x                   12

                """)
    }

    @Test("A table fits a narrow terminal, and is never cut elsewhere")
    func narrowTable() {
        var table = Table([.init("DEVICE"), .init("NAME")])
        let long = String(repeating: "n", count: 60)
        table.add(["virtual:flatbed", long])
        let narrow = table.text(for: Terminal(isTerminal: true, width: 40, hasColor: false))
        #expect(narrow.split(separator: "\n").allSatisfy { $0.displayWidth <= 40 })
        #expect(narrow.contains("virtual:flatbed"))
        #expect(table.text(for: Terminal(isTerminal: false)).contains(long))
    }
}
