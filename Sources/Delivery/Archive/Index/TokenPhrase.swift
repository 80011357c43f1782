/// A word or phrase that is searched for, as the tokens of the index.
struct TokenPhrase: Hashable {
    /// The words in order, each in all of its spellings.
    let places: [[String]]
    /// True if the last word is only the beginning of one.
    let isPrefix: Bool

    init(_ phrase: SearchQuery.Phrase, _ tokenizer: TextTokenizer) {
        places = Self.places(tokenizer.tokens(of: phrase.text, isQuery: true)).map(\.spellings)
        isPrefix = phrase.isPrefix
    }

    /// The tokens by their places: the spellings of each, and its range in bytes of the text.
    static func places(
        _ tokens: [TextToken]
    ) -> [(spellings: [String], range: Range<Int>)] {
        var result: [(spellings: [String], range: Range<Int>)] = []
        for token in tokens {
            if token.isSamePlace, !result.isEmpty {
                result[result.count - 1].spellings.append(token.text)
            } else {
                result.append(([token.text], token.range))
            }
        }
        return result
    }

    /// The ranges of the phrase in a text, in bytes.
    func ranges(in text: [(spellings: [String], range: Range<Int>)]) -> [Range<Int>] {
        guard !places.isEmpty, places.count <= text.count else { return [] }
        return (0...text.count - places.count).compactMap { start in
            let isHere = places.indices.allSatisfy { index in
                let isBeginning = isPrefix && index == places.count - 1
                return text[start + index].spellings.contains { word in
                    places[index].contains { isBeginning ? word.hasBytePrefix($0) : word == $0 }
                }
            }
            guard isHere else { return nil }
            return text[start].range.lowerBound..<text[start + places.count - 1].range.upperBound
        }
    }
}

extension MarkedText {
    /// A text with marks around phrases; marks that overlap are one.
    init(_ text: String, _ phrases: [TokenPhrase], _ tokenizer: TextTokenizer) {
        let places = TokenPhrase.places(tokenizer.tokens(of: text))
        let ranges = phrases.flatMap { $0.ranges(in: places) }
            .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var marks: [Range<Int>] = []
        for range in ranges {
            if let last = marks.last, range.lowerBound < last.upperBound {
                marks[marks.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                marks.append(range)
            }
        }
        self.init(bytes: Array(text.utf8), marks: marks)
    }
}

extension String {
    /// True if the text begins with the same bytes, even if they end within a character.
    fileprivate func hasBytePrefix(_ other: String) -> Bool { utf8.starts(with: other.utf8) }
}
