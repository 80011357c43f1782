import ExpectedFailures

extension JSONValue {
    /// Reads a JSON text (RFC 8259).
    ///
    /// `JSONDecoder` tries the types of a value one by one, which for a few megabytes of
    /// nested lists takes minutes; this takes one pass, whatever the text holds.
    ///
    /// - Returns: nil for anything else, for nesting deeper than 64, and for numbers that are not
    ///   finite.
    package init?(_ text: [UInt8]) {
        var reader = JSONReader(text)
        guard let value = ofKnownForm({ try reader.wholeText() }) else { return nil }
        self = value
    }
}

/// Reads the values of a JSON text, one after another.
private struct JSONReader {
    struct Damage: Error {}

    /// The deepest nesting of lists and objects.
    private static let deepest = 64
    private let text: [UInt8]
    private var at = 0

    init(_ text: [UInt8]) { self.text = text }

    mutating func wholeText() throws(Damage) -> JSONValue {
        let value = try value(0)
        guard next() == nil else { throw Damage() }
        return value
    }

    /// The next byte that is not white space; nil at the end.
    private mutating func next() -> UInt8? {
        while at < text.count, [0x20, 0x0A, 0x0D, 0x09].contains(text[at]) { at += 1 }
        return at < text.count ? text[at] : nil
    }

    /// Takes a byte if it is the next one.
    private mutating func takes(_ mark: Character) -> Bool {
        guard next() == mark.asciiValue else { return false }
        at += 1
        return true
    }

    private mutating func expect(_ mark: Character) throws(Damage) {
        guard takes(mark) else { throw Damage() }
    }

    private mutating func value(_ depth: Int) throws(Damage) -> JSONValue {
        guard let first = next() else { throw Damage() }
        switch first {
        case UInt8(ascii: "[") where depth == Self.deepest,
            UInt8(ascii: "{") where depth == Self.deepest:
            throw Damage()
        case UInt8(ascii: "["): return .list(try elements(depth + 1))
        case UInt8(ascii: "{"): return .object(try members(depth + 1))
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .flag(true))
        case UInt8(ascii: "f"): return try word("false", .flag(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func elements(_ depth: Int) throws(Damage) -> [JSONValue] {
        at += 1
        var elements: [JSONValue] = []
        if takes("]") { return [] }
        repeat { elements.append(try value(depth)) } while takes(",")
        try expect("]")
        return elements
    }

    private mutating func members(_ depth: Int) throws(Damage) -> [String: JSONValue] {
        at += 1
        var members: [String: JSONValue] = [:]
        if takes("}") { return [:] }
        repeat {
            guard next() == UInt8(ascii: "\"") else { throw Damage() }
            let name = try string()
            try expect(":")
            members[name] = try value(depth)
        } while takes(",")
        try expect("}")
        return members
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(Damage) -> JSONValue {
        let end = at + word.utf8CodeUnitCount
        guard end <= text.count, text[at..<end].elementsEqual("\(word)".utf8) else {
            throw Damage()
        }
        at = end
        return value
    }

    private mutating func number() throws(Damage) -> JSONValue {
        let end =
            text[at...].firstIndex { !(48...57).contains($0) && !"+-.eE".utf8.contains($0) }
            ?? text.count
        guard text[at] != UInt8(ascii: "+") else { throw Damage() }
        let digits = String(decoding: text[at..<end], as: UTF8.self)
        at = end
        if let whole = Int(digits) { return .integer(whole) }
        guard let number = Double(digits), number.isFinite else { throw Damage() }
        return Int(exactly: number).map { .integer($0) } ?? .number(number)
    }

    // MARK: Strings

    private mutating func string() throws(Damage) -> String {
        at += 1
        var bytes: [UInt8] = []
        while at < text.count {
            let byte = text[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&bytes)
            case 0..<0x20: throw Damage()
            default: bytes.append(byte)
            }
        }
        throw Damage()
    }

    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9,
    ]

    private mutating func escape(_ bytes: inout [UInt8]) throws(Damage) {
        guard at < text.count else { throw Damage() }
        let byte = text[at]
        at += 1
        if let meant = Self.escapes[byte] { return bytes.append(meant) }
        guard byte == UInt8(ascii: "u") else { throw Damage() }
        var units = [try unit()]
        if UTF16.isLeadSurrogate(units[0]), text[at...].starts(with: "\\u".utf8) {
            at += 2
            units.append(try unit())
        }
        // A surrogate without its other half becomes U+FFFD.
        bytes += Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// The four hexadecimal digits of a UTF-16 unit.
    private mutating func unit() throws(Damage) -> UInt16 {
        guard text.count - at >= 4, text[at] != UInt8(ascii: "+"),
            let unit = UInt16(String(decoding: text[at..<at + 4], as: UTF8.self), radix: 16)
        else { throw Damage() }
        at += 4
        return unit
    }
}
