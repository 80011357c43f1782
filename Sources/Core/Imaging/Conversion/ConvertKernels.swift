// Each direct conversion has a loop. Loops count with `while`: `for … in` costs a call per pixel in
// debug builds.

extension Raster {
    /// Bilevel to gray8: 1 becomes 0, 0 becomes 255.
    func unpacked() -> Raster {
        let table = Self.unpackingTable
        return table.withUnsafeBufferPointer { table in
            building(nil, nil, format: .gray8) { source, result in
                var y = 0
                while y < height {
                    let from = source.row(y)
                    let to = UnsafeMutableRawPointer(result.row(y))
                    let whole = width / 8
                    var i = 0
                    while i < whole {
                        to.storeBytes(
                            of: table[Int(from[i])], toByteOffset: 8 &* i, as: UInt64.self)
                        i &+= 1
                    }
                    withUnsafeBytes(of: table[width % 8 == 0 ? 0 : Int(from[whole])]) { rest in
                        (to + 8 &* whole).copyMemory(from: rest.baseAddress!, byteCount: width % 8)
                    }
                    y &+= 1
                }
            }
        }
    }

    /// Gray8 to bilevel: values below `threshold` (0…256) become black.
    func thresholded(below threshold: Int) -> Raster {
        let lowest = UInt8(clamping: threshold)
        let allBlack = threshold > 255
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width + 8) { marks in
            let marks = marks.baseAddress!
            marks.initialize(repeating: 0, count: width + 8)
            return building(nil, nil, format: .bilevel) { source, result in
                var y = 0
                while y < height {
                    let from = source.row(y)
                    var x = 0
                    while x < width {
                        marks[x] = allBlack || from[x] < lowest ? 1 : 0
                        x &+= 1
                    }
                    Raster.packBits(marks, into: result.row(y), bytes: result.stride)
                    y &+= 1
                }
            }
        }
    }

    /// Packs bytes of 0 or 1 into bits, the first in the highest; `marks` is padded to whole bytes
    /// of bits.
    static func packBits(
        _ marks: UnsafePointer<UInt8>, into row: UnsafeMutablePointer<UInt8>, bytes: Int
    ) {
        let marks = UnsafeRawPointer(marks)
        var i = 0
        while i < bytes {
            let eight = UInt64(
                littleEndian: marks.loadUnaligned(fromByteOffset: 8 &* i, as: UInt64.self))
            // The product's top byte gathers byte k of `eight` as bit 7 − k; no two partial
            // products overlap.
            row[i] = UInt8(truncatingIfNeeded: (eight &* 0x8040_2010_0804_0201) >> 56)
            i &+= 1
        }
    }

    /// Converts 8 bits per sample to 16.
    func widened(to target: PixelFormat) -> Raster {
        let samples = width * format.channels
        return rowByRow(to: target) { from, to in
            let to = UnsafeMutableRawPointer(to).assumingMemoryBound(to: UInt16.self)
            var i = 0
            while i < samples {
                to[i] = UInt16(from[i]) &* 257
                i &+= 1
            }
        }
    }

    /// Converts 16 bits per sample to 8, rounding `v × 255 ÷ 65535` exactly.
    func narrowed(to target: PixelFormat) -> Raster {
        let samples = width * format.channels
        return rowByRow(to: target) { from, to in
            let from = UnsafeRawPointer(from)
            var i = 0
            while i < samples {
                let value = UInt32(from.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self))
                to[i] = UInt8(truncatingIfNeeded: (value &* 255 &+ 32895) >> 16)
                i &+= 1
            }
        }
    }

    /// Color to gray; the weights are those of BT.601 in 1/65,536.
    func grayFromRGB8() -> Raster {
        rowByRow(to: .gray8) { from, to in
            var x = 0
            var i = 0
            while x < width {
                let sum =
                    UInt32(from[i]) &* 19595 &+ UInt32(from[i &+ 1]) &* 38470
                    &+ UInt32(from[i &+ 2]) &* 7471
                to[x] = UInt8(truncatingIfNeeded: (sum &+ 32768) >> 16)
                x &+= 1
                i &+= 3
            }
        }
    }

    /// Color to gray with 16 bits, as in `grayFromRGB8()`; the largest sum still fits into 32 bits.
    func grayFromRGB16() -> Raster {
        rowByRow(to: .gray16) { from, to in
            let from = UnsafeRawPointer(from)
            let to = UnsafeMutableRawPointer(to).assumingMemoryBound(to: UInt16.self)
            var x = 0
            while x < width {
                let red = from.loadUnaligned(fromByteOffset: 6 &* x, as: UInt16.self)
                let green = from.loadUnaligned(fromByteOffset: 6 &* x &+ 2, as: UInt16.self)
                let blue = from.loadUnaligned(fromByteOffset: 6 &* x &+ 4, as: UInt16.self)
                let sum = UInt32(red) &* 19595 &+ UInt32(green) &* 38470 &+ UInt32(blue) &* 7471
                to[x] = UInt16(truncatingIfNeeded: (sum &+ 32768) >> 16)
                x &+= 1
            }
        }
    }

    /// Gray to color with the same bits per sample, which `Sample` holds.
    func replicated<Sample: FixedWidthInteger>(
        _ sample: Sample.Type, to target: PixelFormat
    ) -> Raster {
        let size = MemoryLayout<Sample>.size
        return rowByRow(to: target) { from, to in
            let from = UnsafeRawPointer(from)
            let to = UnsafeMutableRawPointer(to).assumingMemoryBound(to: Sample.self)
            var x = 0
            while x < width {
                let value = from.loadUnaligned(fromByteOffset: size &* x, as: Sample.self)
                to[3 &* x] = value
                to[3 &* x &+ 1] = value
                to[3 &* x &+ 2] = value
                x &+= 1
            }
        }
    }

    /// Makes a raster of the same size, each row from the same row of this one.
    private func rowByRow(
        to target: PixelFormat,
        _ convert: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
    ) -> Raster {
        building(nil, nil, format: target) { source, result in
            var y = 0
            while y < height {
                convert(source.row(y), result.row(y))
                y &+= 1
            }
        }
    }

    /// Byte i of entry b is 0 where bit 7 − i of b is set, and 255 elsewhere.
    private static let unpackingTable: [UInt64] = (0..<256).map { (bits: Int) -> UInt64 in
        var word: UInt64 = 0
        for i in 0..<8 where bits & (0x80 >> i) == 0 { word |= 0xFF << UInt64(8 * i) }
        return word.littleEndian
    }
}
