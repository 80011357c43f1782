import CommandLine
import Testing

/// A small generator whose sequence is the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite struct ParserFuzzTests {
    private static let pieces = [
        "scan", "import", "device", "default", "alias", "completions", "secret", "help", "--help",
        "-h", "--version", "--device", "--device=", "--output", "-o", "-ofile", "--set", "a=b",
        "--pages", "-n", "-3", "3", "--contrast", "1e400", "--mode", "gray", "--title", "--json",
        "-j", "-jv", "-vq", "--quiet", "--no-color", "--", "-", "---", "--=", "-=", "=", "", " ",
        "é", "\u{301}", "-\u{301}", "\u{1B}[31m", "\n", "\u{0}", "\u{202E}", "日本", "🇩🇪", "--日本=1",
        "-🇩🇪", "nan", "-inf", "--values", "--values=x", "9223372036854775808", "\r\n", "--\r\n",
    ]

    @Test("Any words parse or give an error that names its argument", arguments: 0..<8)
    func anyWords(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var mistakes = 0
        for _ in 0..<1_000 {
            let line = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                // Sometimes two words are joined, for spellings that are not in the list.
                let word = Self.pieces.randomElement(using: &random) ?? ""
                let more = Self.pieces.randomElement(using: &random) ?? ""
                return Int.random(in: 0..<4, using: &random) == 0 ? word + more : word
            }
            guard let error = SampleProgram.mistake(line) else { continue }
            mistakes += 1
            #expect(!error.argument.isEmpty || line.contains(""), "\(line)")
            #expect(error.message.holds(Sanitized.line(error.argument)), "\(line)")
            let isClean = error.message.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }
            #expect(isClean, "\(line)")
            let known = ["NAME", "PATH", "SHELL", "stand", "stand device"]
            let typed = line.joined(separator: " ")
            let isTyped =
                typed.holds(error.argument) || error.argument.utf8.first == UInt8(ascii: "-")
            #expect(isTyped || known.contains(error.argument), "\(line): \(error.argument)")
        }
        #expect(mistakes > 100)
    }
}

extension String {
    /// Returns true if the scalars of `text` are consecutive here; a combining mark doesn't hide
    /// its base.
    fileprivate func holds(_ text: String) -> Bool {
        Array(unicodeScalars).contains(Array(text.unicodeScalars))
    }
}
