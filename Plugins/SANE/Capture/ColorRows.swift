import CaptureKit

/// Turns rows whose colors are separate into red, green and blue side by side.
enum ColorRows {
    /// A row of one-bit color as 8-bit RGB; a set bit is bright.
    ///
    /// - Parameter row: a byte of red, one of green and one of blue for each eight pixels.
    static func spread(
        _ row: UnsafeRawBufferPointer, width: Int, into pixels: UnsafeMutableRawBufferPointer
    ) {
        for x in 0..<width {
            for color in 0..<3 {
                let bits = row[x / 8 * 3 + color]
                pixels[3 * x + color] = bits & (0x80 >> UInt8(x & 7)) == 0 ? 0 : 255
            }
        }
    }

    /// Combines three rows of one color each into one row of RGB; one-bit samples become bytes, and
    /// a set bit is bright.
    static func interleave(
        _ passes: [UnsafeRawBufferPointer], width: Int, depth: Int,
        into pixels: UnsafeMutableRawBufferPointer
    ) {
        for (color, row) in passes.enumerated() {
            switch depth {
            case 1:
                for x in 0..<width {
                    let isBright = row[x / 8] & (0x80 >> UInt8(x & 7)) != 0
                    pixels[3 * x + color] = isBright ? 255 : 0
                }
            case 8:
                for x in 0..<width { pixels[3 * x + color] = row[x] }
            default:
                for x in 0..<width {
                    pixels[6 * x + 2 * color] = row[2 * x]
                    pixels[6 * x + 2 * color + 1] = row[2 * x + 1]
                }
            }
        }
    }

    /// Brings 16-bit samples from the machine's order, in which SANE delivers them, to the
    /// protocol's little-endian.
    static func toLittleEndian(_ samples: UnsafeMutableRawBufferPointer) {
        guard Int(bigEndian: 1) == 1 else { return }
        for place in stride(from: 0, to: samples.count - 1, by: 2) {
            samples.swapAt(place, place + 1)
        }
    }
}
