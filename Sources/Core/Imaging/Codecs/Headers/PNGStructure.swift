/// The chunks of a PNG file (ISO/IEC 15948, 5.3).
enum PNGStructure {
    /// Checks the size in the header, and that the chunks reach from it to the end chunk without a
    /// gap.
    ///
    /// libpng would notice an incomplete file too, but only after memory is allocated, and it
    /// writes to standard error.
    static func check(_ bytes: [UInt8], _ limits: DecodingLimits) throws(ImagingError) {
        let number = { (offset: Int) in
            bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= 33, number(8) == 13, bytes[12..<16].elementsEqual("IHDR".utf8) else {
            throw ImagingError(.damagedData, "The PNG file's header is incomplete.")
        }
        try limits.check(width: number(16), height: number(20))
        // A chunk is its length, its name, that many bytes, and a checksum.
        var offset = 33
        while offset + 12 <= bytes.count {
            if bytes[offset + 4..<offset + 8].elementsEqual("IEND".utf8) { return }
            offset += 12 + number(offset)
        }
        throw ImagingError(
            .damagedData, "The PNG file of \(bytes.count) bytes ends before its end chunk.")
    }
}
