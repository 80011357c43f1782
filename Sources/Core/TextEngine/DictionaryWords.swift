import Recognition

/// The words of a page that a dictionary of its language should have: those of only letters.
struct DictionaryWords {
    /// Shorter words are often initials, or parts of words.
    private static let shortest = 3

    /// The words without the marks around them, in the order of the lines.
    let words: [String]

    /// The words of lines that were read.
    init(_ lines: [ReaderWire.Line]) {
        words = lines.flatMap(\.words).compactMap { word in
            let text = word.text
            guard let first = text.firstIndex(where: \.isLetter),
                let last = text.lastIndex(where: \.isLetter)
            else { return nil }
            let core = text[first...last]
            return core.count >= Self.shortest && core.allSatisfy(\.isLetter) ? String(core) : nil
        }
    }
}
