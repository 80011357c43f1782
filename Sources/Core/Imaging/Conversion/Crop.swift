extension Raster {
    /// The pixels inside a rectangle, unchanged, as a new raster.
    ///
    /// The rectangle is clipped to the raster first. If both share no pixel, the whole raster is
    /// returned, because a raster has at least one pixel: test with `PixelRect.intersection` where
    /// that matters.
    ///
    /// - Parameter rectangle: the part to keep.
    public func cropped(to rectangle: PixelRect) -> Raster {
        guard let kept = rectangle.intersection(bounds), kept != bounds else { return self }
        let rowBytes = format.minimumStride(width: kept.width)
        guard format == .bilevel, kept.x % 8 != 0 || kept.width % 8 != 0 else {
            let offset = kept.x * format.bitsPerPixel / 8
            return building(kept.width, kept.height) { source, result in
                var y = 0
                while y < kept.height {
                    UnsafeMutableRawPointer(result.row(y)).copyMemory(
                        from: source.row(kept.y &+ y) + offset, byteCount: rowBytes)
                    y &+= 1
                }
            }
        }
        return croppedBits(kept, rowBytes: rowBytes)
    }

    /// The whole raster as a rectangle.
    public var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// Bits are shifted so that rows start on a byte, and bits to the right of the last column are
    /// cleared.
    private func croppedBits(_ kept: PixelRect, rowBytes: Int) -> Raster {
        let shift = UInt16(kept.x % 8)
        let last = format.minimumStride(width: width) - 1
        let mask = kept.width % 8 == 0 ? UInt8.max : ~(UInt8.max >> UInt8(kept.width % 8))
        return building(kept.width, kept.height) { source, result in
            var y = 0
            while y < kept.height {
                let from = source.row(kept.y &+ y)
                let to = result.row(y)
                var i = 0
                while i < rowBytes {
                    let at = kept.x / 8 &+ i
                    let pair = UInt16(from[at]) << 8 | UInt16(at < last ? from[at &+ 1] : 0)
                    to[i] = UInt8(truncatingIfNeeded: (pair << shift) >> 8)
                    i &+= 1
                }
                to[rowBytes &- 1] &= mask
                y &+= 1
            }
        }
    }
}
