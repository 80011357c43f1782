/// Converts rows of 8- or 16-bit samples to `Float` and back.
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

    /// Rounds a row of values into samples, clipping them to the range.
    static func store(
        _ values: UnsafePointer<Float>, count: Int, _ format: PixelFormat,
        to row: UnsafeMutablePointer<UInt8>
    ) {
        // Adding 2²³ leaves the rounded number in a float's low bits; the checked conversion would
        // keep the loop from being vectorized.
        let shift: Float = 8_388_608
        var i = 0
        if format == .gray16 || format == .rgb16 {
            let row = UnsafeMutableRawPointer(row)
            while i < count {
                let bits = (min(max(values[i], 0), 65535) + shift).bitPattern
                row.storeBytes(
                    of: UInt16(truncatingIfNeeded: bits), toByteOffset: 2 &* i, as: UInt16.self)
                i &+= 1
            }
        } else {
            while i < count {
                let bits = (min(max(values[i], 0), 255) + shift).bitPattern
                row[i] = UInt8(truncatingIfNeeded: bits)
                i &+= 1
            }
        }
    }
}
