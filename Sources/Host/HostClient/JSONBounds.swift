/// The bounds for another host's JSON: numbers whose sums can't overflow, and a limited nesting.
///
/// Every answer of another host is checked before any of it is used, so that later code can rely on
/// it.
enum JSONBounds {
    /// The largest whole number that every reader of JSON reads exactly (RFC 8259, 6).
    static let largest = 9_007_199_254_740_992.0
    /// The deepest nesting of lists and objects.
    static let deepest = 64
    /// The maximum size of a number in bytes.
    private static let longestNumber = 64

    /// True if a text is within the bounds; it may still be invalid JSON.
    static func areKept(by text: [UInt8]) -> Bool {
        var depth = 0
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                index = endOfString(text, index)
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= deepest else { return false }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "-"), 48...57:
                let end = text[index...].firstIndex { !isDigit($0) } ?? text.count
                guard isBounded(text[index..<end]) else { return false }
                index = end
                continue
            default: break
            }
            index += 1
        }
        return true
    }

    private static func endOfString(_ text: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return text.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || "+-.eE".utf8.contains(byte)
    }

    private static func isBounded(_ number: ArraySlice<UInt8>) -> Bool {
        guard number.count <= longestNumber,
            let value = Double(String(decoding: number, as: UTF8.self))
        else { return false }
        return abs(value) <= largest
    }
}
