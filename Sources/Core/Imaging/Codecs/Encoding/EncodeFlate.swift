import CLeptonica

/// A picture's deflated samples (RFC 1950), with a PNG filter for each row, as `FlateDecode` with
/// `/Predictor 15` needs them.
public struct FlateData: Hashable, Sendable {
    /// The deflated rows.
    public let bytes: [UInt8]
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// The samples in a pixel: 1 or 3.
    public let channels: Int
    /// The bits in a sample: 8 or 16, with the high byte first.
    public let bits: Int
}

extension Raster {
    /// All samples of the picture, lossless and without a file format; a bilevel picture becomes
    /// gray.
    ///
    /// Each row gets the PNG filter whose differences have the least sum, as the PNG specification
    /// advises (ISO/IEC 15948, 12.8). Deflated by leptonica's `zlibCompress`.
    ///
    /// - Throws: `libraryFailed` when memory runs out.
    public func encodedFlate() throws(ImagingError) -> FlateData {
        guard format != .bilevel else { return try converted(to: .gray8).encodedFlate() }
        let rows = filteredRows()
        var count = 0
        let deflated = rows.withUnsafeBufferPointer {
            zlibCompress($0.baseAddress, $0.count, &count)
        }
        defer { lept_free(deflated) }
        guard let deflated, count > 0 else {
            throw ImagingError(
                .libraryFailed,
                "There is no memory to deflate a picture of \(width) × \(height) pixels.")
        }
        return FlateData(
            bytes: Array(UnsafeBufferPointer(start: deflated, count: count)), width: width,
            height: height, channels: format.channels, bits: format.bitsPerPixel / format.channels)
    }

    private func filteredRows() -> [UInt8] {
        let count = format.minimumStride(width: width)
        let isDeep = format == .gray16 || format == .rgb16
        var result = [UInt8](repeating: 0, count: (count + 1) * height)
        var filter = PNGRowFilter(bytes: count, pixel: format.bitsPerPixel / 8)
        result.withUnsafeMutableBufferPointer { out in
            withRows { source in
                for y in 0..<height {
                    filter.take(source.row(y), swapped: isDeep)
                    filter.write(to: out.baseAddress! + y * (count + 1))
                }
            }
        }
        return result
    }
}

/// Filters rows one after the other, each by its own best filter.
private struct PNGRowFilter {
    private var above: [UInt8]
    private var here: [UInt8]
    private var candidate: [UInt8]
    private let pixel: Int

    init(bytes: Int, pixel: Int) {
        // A pixel of zeros precedes every row.
        above = [UInt8](repeating: 0, count: bytes + pixel)
        here = above
        candidate = [UInt8](repeating: 0, count: bytes)
        self.pixel = pixel
    }

    /// Adds the next row; `swapped` puts the high byte of 16 bits first.
    mutating func take(_ row: UnsafePointer<UInt8>, swapped: Bool) {
        swap(&above, &here)
        let flip = swapped ? 1 : 0
        var i = 0
        while i < candidate.count {
            here[pixel &+ i] = row[i ^ flip]
            i &+= 1
        }
    }

    /// Writes the number of the best filter and the row after it.
    mutating func write(to out: UnsafeMutablePointer<UInt8>) {
        var least = Int.max
        for kind in UInt8(0)...4 {
            let sum = apply(kind)
            guard sum < least else { continue }
            least = sum
            out[0] = kind
            candidate.withUnsafeBufferPointer { row in
                (out + 1).update(from: row.baseAddress!, count: row.count)
            }
        }
    }

    /// Writes the filtered row to `candidate`, and returns the sum of its absolute differences.
    private mutating func apply(_ kind: UInt8) -> Int {
        let count = candidate.count
        let pixel = pixel
        return here.withUnsafeBufferPointer { here in
            above.withUnsafeBufferPointer { above in
                candidate.withUnsafeMutableBufferPointer { out in
                    var sum = 0
                    var i = 0
                    while i < count {
                        let left = here[i]
                        let up = above[i &+ pixel]
                        let guess: UInt8 =
                            switch kind {
                            case 1: left
                            case 2: up
                            case 3: UInt8((UInt16(left) &+ UInt16(up)) / 2)
                            case 4: Self.paeth(left, up, above[i])
                            default: 0
                            }
                        let value = here[i &+ pixel] &- guess
                        out[i] = value
                        sum &+= Int(Int8(bitPattern: value).magnitude)
                        i &+= 1
                    }
                    return sum
                }
            }
        }
    }

    /// The predictor of ISO/IEC 15948, 9.4.
    @inline(__always)
    private static func paeth(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
        let (a, b, c) = (Int(left), Int(up), Int(corner))
        let (pa, pb, pc) = (abs(b &- c), abs(a &- c), abs(a &+ b &- 2 &* c))
        return pa <= pb && pa <= pc ? left : pb <= pc ? up : corner
    }
}
