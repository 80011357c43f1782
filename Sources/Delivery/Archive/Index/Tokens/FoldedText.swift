import Documents

/// A text as the index compares words: without capitals and accents, in both spellings of letters
/// such as ä (``WordSpellings``).
///
/// The characters between words stay as they are.
struct FoldedText: Hashable {
    private(set) var short: String
    private(set) var long: String

    /// Folds a text with the tokenizer of the index, which ASCII texts do not need.
    init(_ text: String, _ tokenizer: () throws -> TextTokenizer) rethrows {
        guard !text.utf8.allSatisfy({ $0 < 128 }) else {
            short = text.lowercased()
            long = short
            return
        }
        var text = text
        text.makeContiguousUTF8()
        let bytes = Array(text.utf8)
        var (short, long): ([UInt8], [UInt8]) = ([], [])
        var (place, word) = (0, 0)
        for token in try tokenizer().tokens(of: text) {
            if token.isSamePlace {
                // An ideograph's second token is its pair with the next one, and not a spelling.
                let first = String(decoding: bytes[token.range], as: UTF8.self).unicodeScalars.first
                guard first?.isIdeograph != true else { continue }
                long.replaceSubrange(word..., with: token.text.utf8)
                continue
            }
            let gap = bytes[place..<max(place, token.range.lowerBound)]
            short += gap
            long += gap
            word = long.count
            short += token.text.utf8
            long += token.text.utf8
            place = token.range.upperBound
        }
        self.short = String(decoding: short + bytes[place...], as: UTF8.self)
        self.long = String(decoding: long + bytes[place...], as: UTF8.self)
    }

    /// Both spellings, the short one first.
    var spellings: [String] { [short, long] }
}
