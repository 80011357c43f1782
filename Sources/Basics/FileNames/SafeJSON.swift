/// JSON for people and programs: names in it are exact, and no character in it moves a cursor or
/// reverses text.
public enum SafeJSON {
    /// JSON text with every control character, separator and mark of direction written as `\uXXXX`.
    ///
    /// Scalars that stand for bytes of a name, U+10FF00 + byte, are written `\udbff\udfXX`. Only
    /// strings can contain such characters, so nothing outside of strings changes.
    public static func text(_ json: some Sequence<UInt8>) -> String {
        let text = String(decoding: Array(json), as: UTF8.self)
        guard text.utf8.contains(where: { $0 == 0x7F || $0 >= 0xC2 }) else { return text }
        var result = String.UnicodeScalarView()
        for piece in NamePieces(text) {
            switch piece {
            case .plain("\n"): result.append("\n")
            case .hidden(.scalar(let scalar)) where FileNames.meansByte(scalar):
                for byte in UTF8.encode(scalar) ?? .init() { append(byte: byte, to: &result) }
            case .plain(let scalar), .hidden(.scalar(let scalar)):
                if FileNames.isUnsafe(scalar) {
                    append(scalar.value, to: &result)
                } else {
                    result.append(scalar)
                }
            case .hidden(.byte(let byte)):
                append(byte: byte, to: &result)
            }
        }
        return String(result)
    }

    private static func append(byte: UInt8, to text: inout String.UnicodeScalarView) {
        append(0xDBFF, to: &text)
        append(0xDF00 + UInt32(byte), to: &text)
    }

    private static func append(_ unit: UInt32, to text: inout String.UnicodeScalarView) {
        text.append(contentsOf: ("\\u" + FileNames.digits(unit, 4)).unicodeScalars)
    }
}
