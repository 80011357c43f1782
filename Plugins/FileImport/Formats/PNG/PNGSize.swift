/// The picture's size in the first chunk of a PNG file (PNG, third edition, 11.2.1).
struct PNGSize {
    private let width: Int
    private let height: Int
    private let bitsPerPixel: Int

    /// The maximum factor by which deflate can shrink data (RFC 1951): 258 bytes to 2 bits.
    private static let mostShrinking = 1_032

    /// Reads the header.
    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFault) {
        let reader = ByteReader(bytes: bytes)
        guard reader.has("IHDR", at: 12), let width = reader.big32(16),
            let height = reader.big32(20), let depth = reader.byte(24),
            let color = reader.byte(25)
        else { throw .damaged("its header can't be read") }
        self.width = width
        self.height = height
        // 0 gray, 2 color, 3 palette, 4 gray and alpha, 6 color and alpha.
        bitsPerPixel = depth * ([2: 3, 4: 2, 6: 4][color] ?? 1)
    }

    /// Refuses a size beyond the limits, or one that does not fit into a file of `stored` bytes.
    func check(_ limits: ImportLimits, stored: Int) throws(DecodeFault) {
        try limits.check(width: width, height: height, bytesPerPixel: (bitsPerPixel + 7) / 8)
        // Each row has a byte for its filter.
        let decoded = ((width * bitsPerPixel + 7) / 8 + 1) * height
        try limits.check(
            width: width, height: height, stored: stored, least: decoded / Self.mostShrinking)
    }
}
