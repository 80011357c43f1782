import CTurboJPEG

/// The detail of color that a JPEG keeps, compared to brightness.
public enum ChromaSubsampling: Hashable, Sendable {
    /// 4:4:4, color as fine as brightness: for colored text.
    case none
    /// 4:2:2, half across.
    case half
    /// 4:2:0, half across and down: the smallest, for photographs and camera pages.
    case quarter
}

extension Raster {
    /// The picture as a JPEG file, with its resolution in the JFIF header.
    ///
    /// Gray is written as gray, and color as YCbCr; bilevel becomes gray, and 16 bits per sample
    /// become 8. Made by libjpeg-turbo's `tjCompress2`.
    ///
    /// - Parameters:
    ///   - quality: 1…100; 85 unless given. Values outside are clipped.
    ///   - subsampling: the detail of color; `quarter` unless given.
    ///   - resolutionDown: the vertical dots per inch if pixels are not square; the horizontal ones
    ///     unless given.
    /// - Throws: `tooLarge` for a side of more than 65,500 pixels, `libraryFailed` when memory runs
    ///   out.
    public func encodedJPEG(
        quality: Int = 85, subsampling: ChromaSubsampling = .quarter,
        resolutionDown: Double? = nil
    ) throws(ImagingError) -> [UInt8] {
        let picture: Raster =
            switch format {
            case .bilevel, .gray16: converted(to: .gray8)
            case .rgb16: converted(to: .rgb8)
            case .gray8, .rgb8: self
            }
        guard max(width, height) <= 65_500 else {
            throw ImagingError(
                .tooLarge,
                "JPEG holds at most 65,500 pixels a side, not \(width) × \(height). Choose PNG or TIFF, or reduce the picture."
            )
        }
        let gray = picture.format == .gray8
        let sampling =
            switch subsampling {
            case _ where gray: TJSAMP_GRAY
            case .none: TJSAMP_444
            case .half: TJSAMP_422
            case .quarter: TJSAMP_420
            }
        guard let coder = tjInitCompress() else {
            throw ImagingError(.libraryFailed, "There is no memory for a JPEG coder.")
        }
        defer { tjDestroy(coder) }
        var data: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let failed = picture.withRows { rows in
            tjCompress2(
                coder, rows.row(0), Int32(width), Int32(rows.stride), Int32(height),
                Int32((gray ? TJPF_GRAY : TJPF_RGB).rawValue), &data, &size,
                Int32(sampling.rawValue), Int32(min(max(quality, 1), 100)), 0)
        }
        defer { tjFree(data) }
        guard failed == 0, let data else {
            throw ImagingError(
                .libraryFailed,
                "The picture could not be written as JPEG: \(String(cString: tjGetErrorStr2(coder)))."
            )
        }
        var bytes = Array(UnsafeBufferPointer(start: data, count: Int(size)))
        if let across = wholeResolution {
            JFIFResolution.write(across, Self.whole(resolutionDown) ?? across, to: &bytes)
        }
        return bytes
    }
}
