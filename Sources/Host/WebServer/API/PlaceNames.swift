/// Removes the machine's folders from texts for the network.
enum PlaceNames {
    /// The text with every absolute path of two or more parts cut to its last part.
    ///
    /// A path ends at white space, a quotation mark or a comma; `https://` and a lone `/` are not
    /// paths.
    static func removed(from text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "/") {
            let isInWord = start > rest.startIndex && isPart(rest[rest.index(before: start)])
            let end =
                rest[start...].firstIndex { $0.isWhitespace || "'\"“”‘’,;()".contains($0) }
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

    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == ":" || character == "~"
            || character == "."
    }
}
