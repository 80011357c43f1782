extension CameraFrame {
    /// The whole frame at full size: gray frames as gray8, all others as rgb8.
    ///
    /// Luma and color differences are assumed to be of limited range (16…235), by the matrix of
    /// ITU-R BT.601, as video cameras send them by default (V4L2's default for these formats).
    ///
    /// - Throws: ``ImagingError``, for a JPEG picture that is damaged.
    public func raster() throws(ImagingError) -> Raster {
        switch format {
        case .jpeg:
            return try Raster.decodedJPEG(from: [UInt8](bytes), toleratingDamage: false)
        case .gray8: return copied(as: .gray8, bytesPerRow: width)
        case .rgb8: return copied(as: .rgb8, bytesPerRow: 3 * width)
        case .yuyv, .uyvy, .nv12: return colored()
        }
    }

    /// The frame in color for a closer look: as ``raster()``, but a JPEG picture is reduced by 2, 4
    /// or 8, to at least this many pixels on its long side.
    ///
    /// - Throws: ``ImagingError``, for a JPEG picture that is damaged.
    public func raster(longSide: Int) throws(ImagingError) -> Raster {
        guard format == .jpeg else { return try raster() }
        return try Raster.decodedJPEG(from: [UInt8](bytes), longSide: longSide)
    }

    private func copied(as format: PixelFormat, bytesPerRow: Int) -> Raster {
        var result = Raster(uninitialized: width, height, format, resolution: nil)
        let stride = result.stride
        result.withMutableBytes { target in
            for y in 0..<height {
                (target.baseAddress! + y * stride).copyMemory(
                    from: row(y), byteCount: bytesPerRow)
            }
        }
        return result
    }

    private func colored() -> Raster {
        var result = Raster(uninitialized: width, height, .rgb8, resolution: nil)
        let resultStride = result.stride
        // The places of the samples in a group of two pixels.
        let isUYVY = format == .uyvy
        result.withMutableBytes { target in
            let base = target.baseAddress!.assumingMemoryBound(to: UInt8.self)
            for y in 0..<height {
                let source = row(y)
                let colors = format == .nv12 ? row(height + y / 2) : source
                let line = base + y * resultStride
                for x in 0..<width {
                    let pair = x & ~1
                    let (luma, blue, red): (UInt8, UInt8, UInt8) =
                        switch format {
                        case .nv12: (source[x], colors[pair], colors[pair + 1])
                        case _ where isUYVY:
                            (source[2 * x + 1], source[2 * pair], source[2 * pair + 2])
                        default: (source[2 * x], source[2 * pair + 1], source[2 * pair + 3])
                        }
                    Self.store(luma, blue, red, to: line + 3 * x)
                }
            }
        }
        return result
    }

    /// BT.601 of limited range, in units of 1/65,536.
    @inline(__always)
    private static func store(
        _ luma: UInt8, _ blue: UInt8, _ red: UInt8, to pixel: UnsafeMutablePointer<UInt8>
    ) {
        let y = (Int32(luma) - 16) &* 76_309 &+ 32_768
        let (cb, cr) = (Int32(blue) - 128, Int32(red) - 128)
        pixel[0] = UInt8(clamping: (y &+ 104_597 &* cr) >> 16)
        pixel[1] = UInt8(clamping: (y &- 25_675 &* cb &- 53_279 &* cr) >> 16)
        pixel[2] = UInt8(clamping: (y &+ 132_201 &* cb) >> 16)
    }
}
