import CLeptonica

extension PixHandle {
    /// The picture as a raster: 1 bit becomes bilevel, up to 8 bits gray8, 16 gray16, 32 rgb8;
    /// palettes are resolved, and transparency is put on white.
    ///
    /// - Throws: `libraryFailed` when memory runs out, `unsupported` for a depth that leptonica
    ///   should never return.
    consuming func raster() throws(ImagingError) -> Raster {
        let plain = try flattened()
        let depth = pixGetDepth(plain.pointer)
        let format: PixelFormat
        switch depth {
        case 1: format = .bilevel
        case 8: format = .gray8
        case 16: format = .gray16
        case 32: format = .rgb8
        default:
            throw ImagingError(.unsupported, "Pictures of \(depth) bits a pixel can't be read.")
        }
        let width = Int(pixGetWidth(plain.pointer))
        let height = Int(pixGetHeight(plain.pointer))
        guard width > 0, height > 0, let words = pixGetData(plain.pointer) else {
            throw ImagingError(.libraryFailed, "The picture has no pixels.")
        }
        let resolution = pixGetXRes(plain.pointer)
        var result = Raster(
            uninitialized: width, height, format,
            resolution: resolution > 0 ? Double(resolution) : nil)
        let wordsPerRow = Int(pixGetWpl(plain.pointer))
        let stride = result.stride
        result.withMutableBytes { bytes in
            let rows = MutablePixelRows(base: bytes.baseAddress!, stride: stride)
            var y = 0
            while y < height {
                let from = UnsafePointer(words + y &* wordsPerRow)
                switch format {
                case .rgb8: Self.unpackColor(from, into: rows.row(y), count: width)
                case .gray16: Self.unpackDeep(from, into: rows.row(y), count: width)
                default: Self.unpackBytes(from, into: rows.row(y), count: stride)
                }
                if format == .bilevel, width % 8 != 0 {
                    rows.row(y)[stride &- 1] &= ~(UInt8.max >> UInt8(width % 8))
                }
                y &+= 1
            }
        }
        return result
    }

    /// The picture without palette, alpha channel or odd depth.
    private consuming func flattened() throws(ImagingError) -> PixHandle {
        let made: UnsafeMutablePointer<PIX>?
        if pixGetColormap(pointer) != nil {
            made = pixRemoveColormap(pointer, Int32(REMOVE_CMAP_BASED_ON_SRC))
        } else if pixGetDepth(pointer) == 32, pixGetSpp(pointer) == 4 {
            made = pixAlphaBlendUniform(pointer, 0xFFFF_FF00)
        } else {
            switch pixGetDepth(pointer) {
            case 2, 4: made = pixConvertTo8(pointer, 0)
            case 24: made = pixConvert24To32(pointer)
            default: return self
            }
        }
        guard let plain = PixHandle(made) else {
            throw ImagingError(.libraryFailed, "There is no memory to resolve a picture's palette.")
        }
        return plain
    }

    private static func unpackColor(
        _ from: UnsafePointer<UInt32>, into to: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        var x = 0
        while x < count {
            let word = from[x]
            to[3 &* x] = UInt8(truncatingIfNeeded: word >> 24)
            to[3 &* x &+ 1] = UInt8(truncatingIfNeeded: word >> 16)
            to[3 &* x &+ 2] = UInt8(truncatingIfNeeded: word >> 8)
            x &+= 1
        }
    }

    private static func unpackDeep(
        _ from: UnsafePointer<UInt32>, into row: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let to = UnsafeMutableRawPointer(row)
        var x = 0
        while x < count {
            let word = from[x / 2]
            let value = UInt16(truncatingIfNeeded: x % 2 == 0 ? word >> 16 : word)
            to.storeBytes(of: value, toByteOffset: 2 &* x, as: UInt16.self)
            x &+= 1
        }
    }

    private static func unpackBytes(
        _ from: UnsafePointer<UInt32>, into row: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let to = UnsafeMutableRawPointer(row)
        let whole = count / 4
        var i = 0
        while i < whole {
            to.storeBytes(of: from[i].bigEndian, toByteOffset: 4 &* i, as: UInt32.self)
            i &+= 1
        }
        for k in 4 * whole..<count {
            row[k] = UInt8(truncatingIfNeeded: from[whole] >> UInt32(24 - 8 * (k % 4)))
        }
    }
}
