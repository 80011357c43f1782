/// Rows of 8- or 16-bit samples to and from `Float`.
enum SampleRow {
    /// Adds a row's samples times `weight` to a row of sums.
    static func add(
        _ row: UnsafePointer<UInt8>, _ format: PixelFormat, _ count: Int, weight: Float,
        to sums: UnsafeMutablePointer<Float>
    ) {
        var i = 0
        if format == .gray16 || format == .rgb16 {
            let row = UnsafeRawPointer(row)
            while i < count {
                let value = row.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self)
                sums[i] += weight * Float(value)
                i &+= 1
            }
        } else {
            while i < count {
                sums[i] += weight * Float(row[i])
                i &+= 1
            }
        }
    }

    /// Rounds a row of values into samples, clipping what lies outside.
    static func store(
        _ values: UnsafePointer<Float>, count: Int, _ format: PixelFormat,
        to row: UnsafeMutablePointer<UInt8>
    ) {
        var i = 0
        if format == .gray16 || format == .rgb16 {
            let row = UnsafeMutableRawPointer(row)
            while i < count {
                let value = min(max(values[i] + 0.5, 0), 65535)
                row.storeBytes(of: UInt16(value), toByteOffset: 2 &* i, as: UInt16.self)
                i &+= 1
            }
        } else {
            while i < count {
                row[i] = UInt8(truncatingIfNeeded: Int32(min(max(values[i] + 0.5, 0), 255)))
                i &+= 1
            }
        }
    }
}
