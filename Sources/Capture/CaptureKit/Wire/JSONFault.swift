/// Explains typical mistakes of programs that write JSON by hand.
enum JSONFault {
    /// The error, with its place in bytes from 1; nil for text without such an error.
    static func words(_ text: [UInt8]) -> String? {
        if let place = firstBadUTF8(text) { return "byte \(place + 1) is not UTF-8" }
        var isInString = false
        var last: UInt8 = 0
        var place = 0
        while place < text.count {
            let byte = text[place]
            if isInString {
                if byte == UInt8(ascii: "\\") {
                    place += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                } else if byte < 32 {
                    return "byte \(place + 1) is a control character, which must be escaped"
                }
            } else {
                for (sign, why) in signs where text[place...].starts(with: Array(sign.utf8)) {
                    return "'\(sign)' at byte \(place + 1) is not JSON: \(why)"
                }
                if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"),
                    last == UInt8(ascii: ",")
                {
                    return "a comma comes before the end of an object or array at byte \(place + 1)"
                }
                isInString = byte == UInt8(ascii: "\"")
            }
            if byte > 32 { last = byte }
            place += 1
        }
        return isInString ? "a string does not end" : nil
    }

    /// Words and signs of other languages that JSON lacks, each with what to do.
    private static let signs = [
        ("NaN", "JSON has no such number"), ("Infinity", "JSON has no such number"),
        ("inf", "JSON has no such number"), ("True", "write true"), ("False", "write false"),
        ("None", "write null"), ("'", "strings have double quotes"),
    ]

    /// The place of the first byte that is not UTF-8, from 0.
    private static func firstBadUTF8(_ text: [UInt8]) -> Int? {
        var decoder = UTF8()
        var bytes = text.makeIterator()
        var place = 0
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): place += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return place
            }
        }
    }
}
