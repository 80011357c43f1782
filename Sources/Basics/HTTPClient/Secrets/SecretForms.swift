import FoundationEssentials

/// The forms in which a service may return a secret, before any escaping.
enum SecretForms {
    /// The secret, its hexadecimal digits, and its base64 at every possible start in an encoded
    /// text.
    static func all(of secret: String) -> Set<[UInt8]> {
        let bytes = Array(secret.utf8)
        var forms: Set<[UInt8]> = [bytes]
        guard bytes.count >= SecretRedactor.shortest else { return forms }
        forms.insert(bytes.flatMap(hexadecimal))
        // UTF-8 that was read as Latin-1 and written as UTF-8 once more.
        forms.insert(bytes.flatMap { Array(String(Unicode.Scalar($0)).utf8) })
        for other in [secret.lowercased(), secret.uppercased()] { forms.insert(Array(other.utf8)) }
        let latin = secret.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        if latin.count == secret.unicodeScalars.count { forms.insert(latin) }
        // Spaces in a form's data.
        forms.insert(bytes.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 })
        for before in 0..<3 { forms.formUnion(base64(bytes, after: before)) }
        return forms
    }

    /// Base64 of a text in which `bytes` come after this many others: the digits that depend on
    /// Only `bytes`, in both alphabets.
    private static func base64(_ bytes: [UInt8], after before: Int) -> [[UInt8]] {
        let encoded = Array(
            Data([UInt8](repeating: 0, count: before) + bytes).base64EncodedString().utf8)
        let bits = 8 * (before + bytes.count)
        let digits = encoded[((8 * before + 5) / 6)..<(bits / 6)]
        guard digits.count >= SecretRedactor.shortest else { return [] }
        let other = digits.map { digit in
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: digit
            }
        }
        return [Array(digits), other]
    }

    private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
