import CTurboJPEG

/// A JPEG picture that a backend sent, in tones of gray (`tjDecompress2`).
struct JPEGPicture {
    let width: Int
    let height: Int
    /// One byte for each pixel; empty for a picture that is too large to be decoded, or has four
    /// inks.
    let tones: [UInt8]

    /// The maximum number of pixels that a picture may have to be decoded.
    private static let most = 200_000_000

    /// The size that a picture's header states; nil when it has no header.
    static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard let decoder = tjInitDecompress() else { return nil }
        defer { tjDestroy(decoder) }
        return header(bytes, decoder).map { ($0.width, $0.height) }
    }

    /// Decodes a picture.
    ///
    /// - Returns: nil when it can't be decoded to its end.
    init?(_ bytes: [UInt8]) {
        guard let decoder = tjInitDecompress() else { return nil }
        defer { tjDestroy(decoder) }
        guard let (width, height, isOfInks) = Self.header(bytes, decoder) else { return nil }
        (self.width, self.height) = (width, height)
        guard !isOfInks, width * height <= Self.most else {
            tones = []
            return
        }
        var isDecoded = false
        tones = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, filled in
            let flags = TJFLAG_LIMITSCANS | TJFLAG_NOREALLOC
            let failed = tjDecompress2(
                decoder, bytes, UInt(bytes.count), buffer.baseAddress, Int32(width), 0,
                Int32(height), Int32(TJPF_GRAY.rawValue), flags)
            // Stray bytes cause a warning. An early end also does, but it can be seen in the
            // pixels.
            isDecoded = failed == 0 || tjGetErrorCode(decoder) == TJERR_WARNING.rawValue
            filled = isDecoded ? width * height : 0
        }
        if !isDecoded { return nil }
    }

    private static func header(
        _ bytes: [UInt8], _ decoder: tjhandle
    ) -> (width: Int, height: Int, isOfInks: Bool)? {
        var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let failed = tjDecompressHeader3(
            decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &space)
        guard failed == 0, width > 0, height > 0 else { return nil }
        let inks = [TJCS_CMYK.rawValue, TJCS_YCCK.rawValue]
        return (Int(width), Int(height), inks.contains(UInt32(space)))
    }
}
