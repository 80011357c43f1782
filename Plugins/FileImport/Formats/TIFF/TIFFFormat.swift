extension ImportFormat {
    /// TIFF, with any number of pages.
    static let tiff = Self(
        name: "TIFF", usualExtensions: ["tif", "tiff"], isHead: isTIFF,
        open: { (file, _, limits) throws(DecodeFault) in
            try TIFFSource(file: file, limits: limits)
        })

    /// True for version 42, the classic one, and for 43, BigTIFF, in either byte order.
    @Sendable private static func isTIFF(_ head: [UInt8]) -> Bool {
        let signatures: [[UInt8]] = [
            [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0],
            [0x4D, 0x4D, 0, 0x2B],
        ]
        return signatures.contains { head.starts(with: $0) }
    }
}
