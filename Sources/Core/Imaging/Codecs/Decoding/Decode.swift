import CLeptonica

extension Raster {
    /// Reads a picture from the bytes of a JPEG, PNG, TIFF, PNM or WebP file.
    ///
    /// Nothing about the bytes is trusted: the size is checked against the limits before memory is
    /// allocated, and any bytes give a picture or an error. Palettes are resolved, and transparency
    /// is put on white. 16-bit gray stays 16-bit (PNG, TIFF, PNM); 16-bit color becomes rgb8. The
    /// resolution comes from JFIF, PNG or TIFF if the file states it. EXIF orientation is not
    /// applied.
    ///
    /// - Parameters:
    ///   - bytes: a whole file.
    ///   - page: the page of a TIFF file, from 0; other formats have only page 0.
    ///   - limits: the maximum size of the picture.
    /// - Throws: `damagedData` for bytes that are not such a picture or end early, `unsupported`
    ///   for other formats, `tooLarge` beyond the limits.
    public static func decoded(
        from bytes: [UInt8], page: Int = 0, limits: DecodingLimits = DecodingLimits()
    ) throws(ImagingError) -> Raster {
        guard let format = ImageFileFormat(signatureOf: bytes) else {
            throw ImagingError(
                .unsupported,
                bytes.isEmpty
                    ? "The file is empty."
                    : "The file is not a JPEG, PNG, TIFF, PNM or WebP file.")
        }
        guard page == 0 || format == .tiff, page >= 0, let number = Int32(exactly: page) else {
            throw ImagingError(.damagedData, "The \(format.rawValue) file has no page \(page).")
        }
        if format == .jpeg { return try decodedJPEG(from: bytes, limits: limits) }
        PixHandle.prepare()
        let made: UnsafeMutablePointer<PIX>?
        switch format {
        case .png:
            try PNGStructure.check(bytes, limits)
            made = pixReadMemPng(bytes, bytes.count)
        case .tiff:
            try LeptonicaHeader.checkTIFF(bytes, page: number, limits)
            made = pixReadMemTiff(bytes, bytes.count, number)
        case .pnm:
            try LeptonicaHeader.checkPNM(bytes, limits)
            made = pixReadMemPnm(bytes, bytes.count)
        case .webp, .jpeg:
            try LeptonicaHeader.checkWebP(bytes, limits)
            made = pixReadMemWebP(bytes, bytes.count)
        }
        guard let picture = PixHandle(made) else {
            throw ImagingError(
                .damagedData, "The \(format.rawValue) file is damaged or ends too early.")
        }
        let raster = try picture.raster()
        let isBinaryDeepGray = format == .pnm && bytes[1] == 0x35 && raster.format == .gray16
        return isBinaryDeepGray && DeepPGM.isReadSwapped ? raster.byteSwapped() : raster
    }
}
