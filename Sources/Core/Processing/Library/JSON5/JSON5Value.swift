/// A JSON5 value with its place, so that a message can name the place of a mistake.
struct JSON5Value: Sendable {
    enum Kind: Sendable {
        case null
        case flag(Bool)
        case number(Double)
        case string(String)
        case array([JSON5Value])
        case object([Member])
    }

    /// A key and its value; the parser reports a repeated key as an error.
    struct Member: Sendable {
        var key: String
        var position: TextPosition
        var value: JSON5Value
    }

    var kind: Kind
    var position: TextPosition

    /// The value for a message: `"abc"`, `12`, `a list`.
    var shown: String {
        switch kind {
        case .null: "null"
        case .flag(let flag): flag ? "true" : "false"
        case .number(let number): plainNumber(number)
        case .string(let string): "\"\(string.prefix(60))\""
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// The reason why a text is not JSON5, and the place of the mistake.
struct JSON5Error: Error, Hashable {
    var position: TextPosition
    var message: String
}
