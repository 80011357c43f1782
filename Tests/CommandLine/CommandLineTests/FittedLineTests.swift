import CommandLine
import Testing

@Suite struct FittedLineTests {
    private static let plain = Terminal(isTerminal: true, hasColor: false)

    private static var line: FittedLine {
        var line = FittedLine()
        line.add("found", need: 6, style: .yellow)
        line.add("93 %", need: 3)
        line.add("sharp 81 %", need: 2)
        line.add("11.9/s", need: 1)
        line.add(nil, need: 9)
        line.add("hold still", need: 5)
        return line
    }

    @Test(
        "The least important parts are dropped first, and the rest keeps its order",
        arguments: [
            (80, "found  93 %  sharp 81 %  11.9/s  hold still"),
            (43, "found  93 %  sharp 81 %  11.9/s  hold still"),
            (42, "found  93 %  sharp 81 %  hold still"), (34, "found  93 %  hold still"),
            (20, "found  hold still"), (16, "found"), (4, "fou…"),
        ])
    func narrow(width: Int, expected: String) {
        #expect(Self.line.text(for: Self.plain, width: width) == expected)
    }

    @Test("Color codes take no columns, and always end")
    func colored() {
        let terminal = Terminal(isTerminal: true, hasColor: true)
        #expect(Self.line.text(for: terminal, width: 17) == "\u{1B}[33mfound\u{1B}[0m  hold still")
        #expect(Self.line.text(for: terminal, width: 4) == "\u{1B}[33mfou…\u{1B}[0m")
    }

    @Test("No part of a status line can control the terminal")
    func steering() {
        #expect(FittedLine("a\u{1B}[2Jb").text(for: Self.plain, width: 20) == "ab")
    }
}
