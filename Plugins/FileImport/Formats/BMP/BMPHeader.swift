import CaptureKit

/// The headers of a BMP file: the file's own, and the picture's in any length (Microsoft's
/// BITMAPINFOHEADER and later).
struct BMPHeader {
    /// The coding of pixels.
    enum Coding { case plain, runs8, runs4 }

    /// A part of a pixel's bits.
    struct Mask {
        private let shift: Int
        private let most: UInt32

        init(_ bits: UInt32) {
            shift = bits == 0 ? 0 : bits.trailingZeroBitCount
            most = bits >> UInt32(shift)
        }

        var isEmpty: Bool { most == 0 }

        /// The part of `word`, scaled to 0…255.
        func value(_ word: UInt32) -> UInt8 {
            guard most > 0 else { return 0 }
            return UInt8(
                (UInt64(word >> UInt32(shift) & most) * 255 + UInt64(most) / 2) / UInt64(most))
        }
    }

    /// The possible lengths of the picture's header.
    static let lengths = [12, 16, 40, 52, 56, 64, 108, 124]

    let width: Int
    let height: Int
    let bits: Int
    let coding: Coding
    let isTopDown: Bool
    /// The offset of the pixels.
    let offset: Int
    /// Red, green, blue and alpha of pixels of 16 and 32 bits.
    let masks: [Mask]
    /// The colors of pixels of up to 8 bits.
    let palette: [(red: UInt8, green: UInt8, blue: UInt8)]
    let resolution: Resolution?

    /// True for the start of a BMP file; false for a text that begins with the same two letters.
    static func isHead(_ head: [UInt8]) -> Bool {
        head.starts(with: ascii("BM")) && head.count >= 18
            && lengths.contains(Int(head[14]) | Int(head[15]) << 8) && head[16] == 0
            && head[17] == 0
    }

    /// Reads the headers and the palette.
    init(_ reader: ByteReader) throws(DecodeFault) {
        guard let length = reader.little32(14), Self.lengths.contains(length),
            14 + length <= reader.count, let offset = reader.little32(10)
        else { throw .damaged("its header can't be read") }
        let isOld = length == 12
        let field = { (at: Int) in 14 + at < 14 + length ? reader.little32(14 + at) ?? 0 : 0 }
        width = isOld ? reader.little16(18) ?? 0 : Self.signed(field(4))
        let rows = isOld ? reader.little16(20) ?? 0 : Self.signed(field(8))
        isTopDown = rows < 0
        height = abs(rows)
        bits = reader.little16(isOld ? 24 : 28) ?? 0
        guard [1, 2, 4, 8, 16, 24, 32].contains(bits) else {
            throw .unsupported("its pixels have \(bits) bits")
        }
        let compression = isOld ? 0 : field(16)
        switch (compression, bits) {
        case (0, _), (3, 16), (3, 32), (6, 16), (6, 32): coding = .plain
        case (1, 8): coding = .runs8
        case (2, 4): coding = .runs4
        case (4, _): throw .unsupported("it is a JPEG picture inside a BMP file")
        case (5, _): throw .unsupported("it is a PNG picture inside a BMP file")
        default: throw .unsupported("its compression \(compression) is unknown")
        }
        self.offset = offset
        // Masks follow the short header; longer headers contain them at the same offset.
        let hasMasks = compression == 3 || compression == 6
        if hasMasks {
            let most = compression == 6 || length >= 56 ? 4 : 3
            masks = (0..<4).map {
                Mask($0 < most ? UInt32(truncatingIfNeeded: reader.little32(54 + 4 * $0) ?? 0) : 0)
            }
        } else {
            masks = (bits == 16 ? [0x7C00, 0x3E0, 0x1F, 0] : [0xFF_0000, 0xFF00, 0xFF, 0]).map(
                Mask.init)
        }
        let first = 14 + length + (hasMasks && length == 40 ? (compression == 6 ? 16 : 12) : 0)
        palette =
            bits > 8
            ? []
            : Self.palette(
                reader, first, size: isOld ? 3 : 4, asked: isOld ? 0 : field(32), bits,
                before: offset)
        resolution =
            isOld ? nil : plausible(x: Double(field(24)) * 0.0254, y: Double(field(28)) * 0.0254)
    }

    private static func signed(_ number: Int) -> Int { Int(Int32(truncatingIfNeeded: number)) }

    private static func palette(
        _ reader: ByteReader, _ first: Int, size: Int, asked: Int, _ bits: Int, before end: Int
    ) -> [(red: UInt8, green: UInt8, blue: UInt8)] {
        let count = min(asked > 0 ? asked : 1 << bits, 1 << bits, max(0, end - first) / size)
        return (0..<count).map { index in
            let at = first + index * size
            return (
                UInt8(reader.byte(at + 2) ?? 0), UInt8(reader.byte(at + 1) ?? 0),
                UInt8(reader.byte(at) ?? 0)
            )
        }
    }
}
