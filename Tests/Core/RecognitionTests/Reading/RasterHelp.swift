import Documents
import Imaging

extension Raster {
    /// The smallest box around the dark pixels of a `gray8` raster inside `box`.
    func inkBox(within box: Box) -> Box? {
        withBytes { bytes in
            var found: (left: Int, top: Int, right: Int, bottom: Int)?
            for y in box.y..<box.y + box.height {
                for x in box.x..<box.x + box.width where bytes[y * stride + x] < 128 {
                    let old = found ?? (x, y, x, y)
                    found = (
                        min(old.left, x), min(old.top, y), max(old.right, x), max(old.bottom, y)
                    )
                }
            }
            return found.map {
                Box(
                    x: $0.left, y: $0.top, width: $0.right - $0.left + 1,
                    height: $0.bottom - $0.top + 1)
            }
        }
    }

    /// A `gray8` raster in another format.
    func converted(to format: PixelFormat) -> Raster {
        var result = Raster(width: width, height: height, format: format, resolution: resolution)
        let target = result.stride
        withBytes { gray in
            result.withMutableBytes { bytes in
                for y in 0..<height {
                    for x in 0..<width {
                        let value = gray[y * stride + x]
                        let row = y * target
                        switch format {
                        case .bilevel: if value < 128 { bytes[row + x / 8] |= 0x80 >> UInt8(x % 8) }
                        case .gray8: bytes[row + x] = value
                        case .gray16: bytes[row + 2 * x + 1] = value
                        case .rgb8: for c in 0..<3 { bytes[row + 3 * x + c] = value }
                        case .rgb16: for c in 0..<3 { bytes[row + 6 * x + 2 * c + 1] = value }
                        }
                    }
                }
            }
        }
        return result
    }
}

extension Box {
    /// The box enlarged by a margin, but within `raster`.
    func grown(by margin: Int, in raster: Raster) -> Box {
        let left = max(0, x - margin)
        let top = max(0, y - margin)
        return Box(
            x: left, y: top, width: min(raster.width, x + width + margin) - left,
            height: min(raster.height, y + height + margin) - top)
    }
}
