/// Removes the machine's folders from texts for the network.
enum PlaceNames {
    /// The text with every absolute path of two or more parts cut to its last part.
    ///
    /// A path in quotation marks ends at the closing one, and any other at white space, a quotation
    /// mark or a comma; `https://` and a lone `/` are not paths.
    static func removed(from text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "/") {
            let before = start > rest.startIndex ? rest[rest.index(before: start)] : " "
            let isInWord = isPart(before)
            let end =
                closing[before].flatMap { quotedEnd(of: rest[start...], at: $0) }
                ?? rest[start...].firstIndex { $0.isWhitespace || "'\"“”‘’,;()".contains($0) }
                ?? rest.endIndex
            let path = rest[start..<end]
            let parts = path.split(separator: "/")
            result += rest[..<start]
            result +=
                isInWord || parts.count < 2 || path.hasPrefix("//") ? path : parts[parts.count - 1]
            rest = rest[end...]
        }
        return result + rest
    }

    private static let closing: [Character: Character] = ["'": "'", "“": "”", "‘": "’"]

    /// The place of the closing quotation mark, which no letter or digit follows; nil for none.
    private static func quotedEnd(of text: Substring, at mark: Character) -> Substring.Index? {
        text.indices.first { index in
            let next = text[text.index(after: index)...].first
            return text[index] == mark && next.map { $0.isLetter || $0.isNumber } != true
        }
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == ":" || character == "~"
            || character == "."
    }
}
