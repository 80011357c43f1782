/// Percent-encoding (RFC 3986, 2.1), decoded strictly: malformed input is rejected, not guessed.
enum PercentCoding {
    /// The decoded text; nil when a `%` is not followed by two hexadecimal digits, when the bytes
    /// are not UTF-8, or when one of them is zero.
    static func decode(_ encoded: String) -> String? {
        guard encoded.utf8.contains(UInt8(ascii: "%")) else { return encoded }
        var bytes: [UInt8] = []
        var rest = encoded.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit),
                high | low != 0
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The decoded parts of a path; nil when the path does not begin with a slash, or when a part
    /// is malformed, `.` or `..`, or contains a slash.
    static func parts(ofPath path: String) -> [String]? {
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        var parts: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let part = decode(String(part)), !part.contains("/"), part != ".", part != ".."
            else { return nil }
            parts.append(part)
        }
        return parts == [""] ? [] : parts
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
