import CTurboJPEG
import ColorProfiles

extension Raster {
    /// Reads a JPEG file: gray as gray8, everything else as rgb8.
    ///
    /// EXIF orientation is not applied; the resolution is JFIF's. Colors that the file names are
    /// converted to sRGB; a profile that can't be used is ignored. libjpeg-turbo's `tjDecompress2`
    /// also limits the scans of a progressive file, so that a small hostile file can't keep it busy
    /// for minutes.
    ///
    /// - Parameters:
    ///   - bytes: a whole file.
    ///   - toleratingDamage: true to return the readable part of a damaged file, as for a camera's
    ///     stream; false to throw.
    ///   - limits: the largest picture that may be made.
    /// - Throws: `damagedData`, `tooLarge`, or `libraryFailed` when memory runs out.
    public static func decodedJPEG(
        from bytes: [UInt8], toleratingDamage: Bool = false,
        limits: DecodingLimits = DecodingLimits()
    ) throws(ImagingError) -> Raster {
        let decoder = try JPEGDecoder(bytes)
        var picture = try decoder.decoded(
            as: decoder.isGray ? .gray8 : .rgb8, eighths: 8, toleratingDamage: toleratingDamage,
            limits: limits)
        if !decoder.isFourInk { picture.convertColors(from: bytes) }
        return picture
    }

    /// Reads a JPEG file at the smallest size, of its own, a half, a quarter or an eighth, whose
    /// long side has at least this many pixels; gray as gray8, everything else as rgb8.
    ///
    /// - Throws: as `decodedJPEG(from:toleratingDamage:limits:)`.
    static func decodedJPEG(
        from bytes: [UInt8], longSide: Int, limits: DecodingLimits = DecodingLimits()
    ) throws(ImagingError) -> Raster {
        let decoder = try JPEGDecoder(bytes)
        return try decoder.decoded(
            as: decoder.isGray ? .gray8 : .rgb8, eighths: decoder.eighths(longSide: longSide),
            toleratingDamage: false, limits: limits)
    }
}

extension Raster {
    /// Converts pixels from the colors that their JPEG file names to sRGB.
    fileprivate mutating func convertColors(from file: [UInt8]) {
        guard let source = file.withUnsafeBytes({ JPEGColors.source(of: $0) }),
            let conversion = try? ColorConversion(
                from: source, format == .gray8 ? .gray : .light, isDeep: false)
        else { return }
        let (height, stride) = (height, stride)
        let rowBytes = format.minimumStride(width: width)
        withMutableBytes { pixels in
            if stride == rowBytes { return conversion.convert(pixels) }
            for y in 0..<height {
                conversion.convert(
                    UnsafeMutableRawBufferPointer(
                        rebasing: pixels[(y * stride)..<(y * stride + rowBytes)]))
            }
        }
    }
}

/// One JPEG file and the decoder that reads it.
private struct JPEGDecoder: ~Copyable {
    private let handle: tjhandle
    private let bytes: [UInt8]
    private let width: Int
    private let height: Int
    private let colors: TJCS

    init(_ bytes: [UInt8]) throws(ImagingError) {
        guard let handle = tjInitDecompress() else {
            throw ImagingError(.libraryFailed, "There is no memory for a JPEG decoder.")
        }
        var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let failed = tjDecompressHeader3(
            handle, bytes, UInt(bytes.count), &width, &height, &sampling, &colors)
        // A warning about the header does not stop the decoder: the pixels may still be complete.
        guard failed == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue), width > 0
        else {
            let reason = String(cString: tjGetErrorStr2(handle))
            tjDestroy(handle)
            throw ImagingError(.damagedData, "The JPEG file's header can't be read: \(reason).")
        }
        self.handle = handle
        self.bytes = bytes
        self.width = Int(width)
        self.height = Int(height)
        self.colors = TJCS(rawValue: UInt32(bitPattern: colors))
    }

    deinit { tjDestroy(handle) }

    /// The reduction by a power of two, in eighths, that leaves at least this many pixels on the
    /// long side if the picture has them.
    func eighths(longSide: Int) -> Int {
        [1, 2, 4].first { max(width, height) * $0 / 8 >= longSide } ?? 8
    }

    var isGray: Bool { colors == TJCS_GRAY }

    var isFourInk: Bool { colors == TJCS_CMYK || colors == TJCS_YCCK }

    func decoded(
        as format: PixelFormat, eighths: Int, toleratingDamage: Bool, limits: DecodingLimits
    ) throws(ImagingError) -> Raster {
        let scaledWidth = (width * eighths + 7) / 8
        let scaledHeight = (height * eighths + 7) / 8
        try limits.check(width: scaledWidth, height: scaledHeight)
        let resolution = JFIFResolution.read(bytes).map { $0 * Double(eighths) / 8 }
        var result = Raster(
            width: scaledWidth, height: scaledHeight, format: format, resolution: resolution)
        if isFourInk {
            try readFourInks(into: &result, toleratingDamage: toleratingDamage)
        } else {
            let stride = result.stride
            try result.withMutableBytes { raw throws(ImagingError) in
                try read(
                    into: raw.baseAddress!, scaledWidth, scaledHeight, stride: stride,
                    layout: format == .gray8 ? TJPF_GRAY : TJPF_RGB,
                    toleratingDamage: toleratingDamage)
            }
        }
        return result
    }

    /// Converts inks to light in an rgb8 picture: Adobe's files, the only known ones, store
    /// 255 − ink.
    private func readFourInks(
        into result: inout Raster, toleratingDamage: Bool
    ) throws(ImagingError) {
        let (width, height) = (result.width, result.height)
        let inks = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * width * height)
        defer { inks.deallocate() }
        inks.initialize(repeating: 0, count: 4 * width * height)
        try read(
            into: inks, width, height, stride: 4 * width, layout: TJPF_CMYK,
            toleratingDamage: toleratingDamage)
        result.withMutableBytes { raw in
            for pixel in 0..<width * height {
                let black = Int(inks[4 * pixel + 3])
                for channel in 0..<3 {
                    raw[3 * pixel + channel] = UInt8(
                        (Int(inks[4 * pixel + channel]) * black + 127) / 255)
                }
            }
        }
    }

    private func read(
        into target: UnsafeMutableRawPointer, _ width: Int, _ height: Int, stride: Int,
        layout: TJPF, toleratingDamage: Bool
    ) throws(ImagingError) {
        let failed = tjDecompress2(
            handle, bytes, UInt(bytes.count), target.assumingMemoryBound(to: UInt8.self),
            Int32(width), Int32(stride), Int32(height), Int32(layout.rawValue), TJFLAG_LIMITSCANS)
        guard failed != 0 else { return }
        let isWarning = tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        let reason = String(cString: tjGetErrorStr2(handle))
        // Stray bytes between segments harm no pixel, and some cameras write them.
        if isWarning, toleratingDamage || reason.contains("extraneous bytes before marker 0xd9") {
            return
        }
        throw ImagingError(.damagedData, "The JPEG file is damaged or ends too early: \(reason).")
    }
}
