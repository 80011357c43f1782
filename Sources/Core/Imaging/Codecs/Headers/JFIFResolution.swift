/// The resolution in a JPEG file's JFIF header (ITU-T T.871, 10.1).
enum JFIFResolution {
    /// Writes horizontal and vertical dots per inch, 1…65,535, into a file that begins with a JFIF
    /// segment; other files stay unchanged.
    static func write(_ across: Int, _ down: Int, to bytes: inout [UInt8]) {
        guard beginsWithJFIF(bytes) else { return }
        bytes[13] = 1
        for (offset, dots) in [(14, across), (16, down)] {
            bytes[offset] = UInt8(dots >> 8)
            bytes[offset + 1] = UInt8(dots & 0xFF)
        }
    }

    /// The horizontal dots per inch; nil when the file does not begin with a JFIF segment, or names
    /// no unit.
    static func read(_ bytes: [UInt8]) -> Double? {
        guard beginsWithJFIF(bytes) else { return nil }
        let dots = Double(Int(bytes[14]) << 8 | Int(bytes[15]))
        guard dots > 0 else { return nil }
        return switch bytes[13] {
        case 1: dots
        case 2: dots * 2.54
        default: nil
        }
    }

    private static func beginsWithJFIF(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 20 && bytes[2] == 0xFF && bytes[3] == 0xE0
            && bytes[6..<11].elementsEqual([0x4A, 0x46, 0x49, 0x46, 0])
    }
}
