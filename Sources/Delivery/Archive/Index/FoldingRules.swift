import Documents
import ExpectedFailures

/// The rules by which the database's function `folded` folds a text as ``FoldedText`` does, because
/// PostgreSQL does not have our tokenizer.
struct FoldingRules: Encodable, Sendable {
    /// The letters that are replaced by several, with these; they come first.
    private(set) var pairs: [[String]] = []
    /// The letters that are replaced by one, followed by those that are removed.
    private(set) var from = ""
    /// The replacement for each letter of `from`.
    private(set) var to = ""

    /// The rules for the short and for the long spelling, made from the tokenizer's treatment of
    /// each letter.
    static let both = [FoldingRules(\.short), FoldingRules(\.long)]

    private init(_ spelling: KeyPath<FoldedText, String>) {
        guard let tokenizer = reportedLater({ try TextTokenizer() }) else { return }
        // A letter and its mark as two characters; only the long spelling reads them as one letter.
        for letter in ["a", "o", "u", "A", "O", "U"] {
            for mark in ["\u{308}", "\u{30A}"] {
                let folded = FoldedText("x" + letter + mark) { tokenizer }[keyPath: spelling]
                let made = String(folded.unicodeScalars.dropFirst())
                if made.unicodeScalars.count > 1 { pairs.append([letter + mark, made]) }
            }
        }
        var lost = String.UnicodeScalarView()
        var (from, to) = (String.UnicodeScalarView(), String.UnicodeScalarView())
        for letter in Self.letters {
            // After an x, a mark belongs to a word.
            let folded = FoldedText("x" + String(letter)) { tokenizer }[keyPath: spelling]
            let made = folded.unicodeScalars.dropFirst()
            switch made.count {
            case 0: lost.append(letter)
            case 1 where made.first != letter:
                from.append(letter)
                to.append(contentsOf: made)
            case 2...: pairs.append([String(letter), String(made)])
            default: break
            }
        }
        self.from = String(from) + String(lost)
        self.to = String(to)
    }

    /// All letters and marks beyond ASCII that have capitals or accents, and ASCII's capitals.
    private static var letters: [Unicode.Scalar] {
        let capitals = (UInt32(65)...90).compactMap(Unicode.Scalar.init)
        let others = (UInt32(0x80)...0x1_FFFF).compactMap(Unicode.Scalar.init).filter {
            $0.properties.isAlphabetic && !$0.isIdeograph
                || $0.properties.generalCategory == .nonspacingMark
        }
        return capitals + others
    }
}
