/// The tokens of a page in the form of PostgreSQL's types.
///
/// `tsvector` has limits that FTS5 does not have: positions up to 16,383, 255 of them for a word,
/// words of less than 2 kB, 1 MB in all. Tokens beyond a limit are left out, so phrases at the end
/// of a very long page are not found.
enum Lexemes {
    private static let longestWord = 2_000
    private static let mostBytes = 800_000
    private static let lastPlace = 16_383

    /// A page's tokens in the text form of `tsvector`: title and fields with weight A.
    static func vector(_ text: LeafText, _ tokenizer: TextTokenizer) -> String {
        var places: [String: [String]] = [:]
        var bytes = 0
        var place = 0
        // Metadata is first, so that its places are exact however long the page is. A free position
        // between two texts keeps a phrase from matching across them.
        for (part, weight) in [(text.about, "A"), (text.body, ""), (text.broken, "")] {
            place += 1
            for token in tokenizer.tokens(of: part) {
                if !token.isSamePlace { place += 1 }
                guard token.text.utf8.count <= longestWord, bytes <= mostBytes else { continue }
                let known = places[token.text]
                bytes += known == nil ? token.text.utf8.count + 6 : 2
                places[token.text, default: []].append("\(min(place, lastPlace))\(weight)")
            }
        }
        return places.map { quoted($0) + ":" + $1.prefix(255).joined(separator: ",") }
            .joined(separator: " ")
    }

    /// A query in the text form of `tsquery`; nil when nothing can match.
    static func query(wanted: [TokenPhrase], unwanted: [TokenPhrase]) -> String? {
        guard !wanted.isEmpty, wanted.allSatisfy(canMatch) else { return nil }
        return (wanted.map(text) + unwanted.filter(canMatch).map { "!" + text($0) })
            .joined(separator: " & ")
    }

    private static func canMatch(_ phrase: TokenPhrase) -> Bool {
        !phrase.places.isEmpty
            && phrase.places.joined().allSatisfy { $0.utf8.count <= longestWord }
    }

    private static func text(_ phrase: TokenPhrase) -> String {
        let words = phrase.places.enumerated().map { index, spellings in
            let ending = phrase.isPrefix && index == phrase.places.count - 1 ? ":*" : ""
            return "(" + spellings.map { quoted($0) + ending }.joined(separator: " | ") + ")"
        }
        return "(" + words.joined(separator: " <-> ") + ")"
    }

    private static func quoted(_ word: String) -> String {
        "'" + word.replacing("\\", with: "\\\\").replacing("'", with: "''") + "'"
    }
}
