extension FileNames {
    /// A text that contains names, for people to read: bytes and characters that can't be shown are
    /// written as `\n`, `\xff` or `\u{202e}`.
    public static func shown(_ text: String) -> String {
        // Most text has no characters that stand for bytes. In UTF-8, those all begin with 0xF4, so
        // one search rules them out.
        guard text.utf8.contains(0xF4) else { return text }
        var result = ""
        for piece in NamePieces(text) {
            switch piece {
            case .plain(let scalar): result.unicodeScalars.append(scalar)
            case .hidden(.scalar(let scalar)): result += Self.word(scalar)
            case .hidden(.byte(let byte)): result += "\\x" + digits(UInt32(byte), 2)
            }
        }
        return result
    }

    /// A file's name as a document's title: unchanged, or made readable by ``shown(_:)`` if it has
    /// control characters or is not UTF-8.
    public static func title(_ name: String) -> String {
        guard let plain = plainText(name),
            !plain.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return shown(name) }
        return plain
    }

    /// True if a character moves or hides other text: a terminal never gets such a character.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func word(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.isASCII: "\\x" + digits(scalar.value, 2)
        case _ where isUnsafe(scalar): "\\u{" + digits(scalar.value, 4) + "}"
        default: String(scalar)
        }
    }

    static func digits(_ value: UInt32, _ count: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}

/// The characters of a text; each scalar that stands for a byte of a name is read as that byte.
struct NamePieces: Sequence, IteratorProtocol {
    /// One character or byte of a text.
    enum Piece {
        /// A character that stands for itself.
        case plain(Unicode.Scalar)
        /// A byte that can't be shown, or a character whose bytes are hidden.
        case hidden(NameParts<[UInt8]>.Part)
    }

    private var rest: Substring.UnicodeScalarView
    private var hidden: NameParts<[UInt8]>?

    init(_ text: String) { rest = Substring(text).unicodeScalars }

    mutating func next() -> Piece? {
        if let part = hidden?.next() { return .hidden(part) }
        hidden = nil
        guard let first = rest.popFirst() else { return nil }
        guard let byte = Self.byte(first) else { return .plain(first) }
        var bytes = [byte]
        while let next = rest.first, let byte = Self.byte(next) {
            bytes.append(byte)
            rest = rest.dropFirst()
        }
        hidden = NameParts(bytes)
        return self.next()
    }

    /// The byte that a scalar stands for; nil for an ordinary character.
    private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 0x10FF01..<0x10FF20, 0x10FF7F...0x10FFFF: UInt8(scalar.value - 0x10FF00)
        default: nil
        }
    }
}
