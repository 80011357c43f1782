import CLeptonica

extension Raster {
    /// The picture as a PNG file, with its resolution.
    ///
    /// Bilevel, gray8, gray16 and rgb8 are written unchanged; rgb16 gets 8 bits per sample.
    ///
    /// - Parameters:
    ///   - compression: 0 (fastest) … 9 (smallest); 6 unless given.
    ///   - resolutionDown: the vertical dots per inch if pixels are not square; the horizontal ones
    ///     unless given.
    /// - Throws: `libraryFailed` when memory runs out.
    public func encodedPNG(
        compression: Int = 6, resolutionDown: Double? = nil
    ) throws(ImagingError) -> [UInt8] {
        let picture = try PixHandle(self, keepingDeepGray: true)
        if let down = Self.whole(resolutionDown) { pixSetYRes(picture.pointer, Int32(down)) }
        pixSetZlibCompression(picture.pointer, Int32(min(max(compression, 0), 9)))
        return try Self.encoded("PNG") { data, size in
            pixWriteMemPng(&data, &size, picture.pointer, 0)
        }
    }

    /// The picture as a WebP file.
    ///
    /// WebP can't store a resolution; the picture gets 8 bits per sample in color.
    ///
    /// - Parameters:
    ///   - quality: 0…100; 85 unless given. For `lossless`, a higher quality takes more time and
    ///     makes a smaller file.
    ///   - lossless: true to keep every pixel.
    /// - Throws: `tooLarge` for a side of more than 16,383 pixels, which the format forbids;
    ///   `libraryFailed` when memory runs out.
    public func encodedWebP(quality: Int = 85, lossless: Bool = false) throws(ImagingError)
        -> [UInt8]
    {
        guard max(width, height) <= 16_383 else {
            throw ImagingError(
                .tooLarge,
                "WebP holds at most 16,383 pixels a side, not \(width) × \(height). Choose PNG, JPEG or TIFF, or reduce the picture."
            )
        }
        let picture = try PixHandle(converted(to: .rgb8))
        return try Self.encoded("WebP") { data, size in
            pixWriteMemWebP(
                &data, &size, picture.pointer, Int32(min(max(quality, 0), 100)), lossless ? 1 : 0)
        }
    }

    /// The picture as a TIFF file with one page and its resolution: bilevel in G4, other formats in
    /// zlib ("Adobe deflate").
    ///
    /// rgb16 is written with 8 bits a sample.
    ///
    /// - Throws: `libraryFailed` when memory runs out.
    public func encodedTIFF() throws(ImagingError) -> [UInt8] {
        let picture = try PixHandle(self, keepingDeepGray: true)
        let compression = format == .bilevel ? IFF_TIFF_G4 : IFF_TIFF_ZIP
        return try Self.encoded("TIFF") { data, size in
            pixWriteMemTiff(&data, &size, picture.pointer, Int32(compression))
        }
    }

    /// Runs one of leptonica's writers to memory and returns its bytes.
    private static func encoded(
        _ format: String,
        _ write: (inout UnsafeMutablePointer<UInt8>?, inout Int) -> Int32
    ) throws(ImagingError) -> [UInt8] {
        var data: UnsafeMutablePointer<UInt8>?
        var size = 0
        let failed = write(&data, &size)
        defer { lept_free(data) }
        guard failed == 0, let data, size > 0 else {
            throw ImagingError(
                .libraryFailed,
                "The picture could not be written as \(format); memory may be short.")
        }
        return Array(UnsafeBufferPointer(start: data, count: size))
    }
}
