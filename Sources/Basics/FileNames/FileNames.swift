import CFileNames
import Glibc

/// Converts the names of files to text and back: a name is bytes, and text is Unicode.
///
/// A byte that text can't hold safely becomes the scalar U+10FF00 + byte: a byte that is not UTF-8,
/// and each byte of a control or format character, or of a mark that would join the character
/// before it. Every other character stays as it is. The programs' calls that take a path turn such
/// scalars back (`CFileNames`), so that every name can be opened again.
public enum FileNames {
    /// The text of a name's bytes.
    public static func text(_ bytes: some Collection<UInt8>) -> String {
        // Most names are plain ASCII.
        if bytes.allSatisfy({ 0x20..<0x7F ~= $0 }) { return String(decoding: bytes, as: UTF8.self) }
        var result = String.UnicodeScalarView()
        var before: Unicode.Scalar?
        for part in NameParts(bytes) {
            switch part {
            case .scalar(let scalar) where !isHidden(scalar, after: before):
                result.append(scalar)
                before = scalar
            case .scalar(let scalar):
                result.append(contentsOf: UTF8.encode(scalar)!.map(hidden))
                before = nil
            case .byte(let byte):
                result.append(hidden(byte))
                before = nil
            }
        }
        return String(result)
    }

    /// The text of a name in a C string.
    public static func text(cString: UnsafePointer<CChar>) -> String {
        text(
            UnsafeRawBufferPointer(start: cString, count: strlen(cString)).bindMemory(
                to: UInt8.self))
    }

    /// The bytes that a text stands for.
    public static func bytes(_ text: String) -> [UInt8] {
        var text = text
        return text.withUTF8 { source in
            [UInt8](unsafeUninitializedCapacity: source.count) { bytes, count in
                guard let base = bytes.baseAddress, let from = source.baseAddress else { return }
                count = from.withMemoryRebound(to: CChar.self, capacity: source.count) { from in
                    base.withMemoryRebound(to: CChar.self, capacity: source.count) {
                        cfilenames_decode(from, source.count, $0)
                    }
                }
            }
        }
    }

    /// The text as it was written, without scalars that stand for bytes; nil where the name's bytes
    /// are not UTF-8.
    public static func plainText(_ text: String) -> String? {
        // Most text has no such scalars.
        guard text.utf8.contains(0xF4) else { return text }
        return String(validating: bytes(text), as: UTF8.self)
    }

    /// The bytes that a name takes in the file system.
    public static func length(_ text: String) -> Int { bytes(text).count }

    /// True if a character is one of the scalars that stand for bytes.
    static func meansByte(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x10FF00 }

    private static func hidden(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(0x10FF00 + UInt32(byte))!
    }

    /// True if a character's bytes are hidden: the bytes of a control character, or of a mark that
    /// changes how its neighbors are shown.
    private static func isHidden(_ scalar: Unicode.Scalar, after before: Unicode.Scalar?) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        if meansByte(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        case .nonspacingMark, .spacingMark, .enclosingMark:
            // Swift would join a slash or period and the accent after it into one character.
            guard let before else { return true }
            return before.isASCII && !before.properties.isAlphabetic
        default: return false
        }
    }
}
