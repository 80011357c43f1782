/// The two passes of the unsharp mask over 8-bit rows, in 16-bit lanes.
enum Sharpening {
    /// above + 2 × middle + below, with one pixel repeated at either end: `sums` has `count` + 2 ×
    /// `channels` values.
    static func addRows(
        _ above: UnsafePointer<UInt8>, _ middle: UnsafePointer<UInt8>,
        _ below: UnsafePointer<UInt8>, to sums: UnsafeMutablePointer<Int16>, channels: Int,
        count: Int
    ) {
        let inner = sums + channels
        var i = 0
        while i < count {
            inner[i] =
                Int16(truncatingIfNeeded: above[i])
                &+ 2 &* Int16(truncatingIfNeeded: middle[i])
                &+ Int16(truncatingIfNeeded: below[i])
            i &+= 1
        }
        var c = 0
        while c < channels {
            sums[c] = inner[c]
            inner[count &+ c] = inner[count &- channels &+ c]
            c &+= 1
        }
    }

    /// middle + strength × (middle − blur); `strength` is in 1/8192.
    static func apply(
        _ middle: UnsafePointer<UInt8>, _ sums: UnsafePointer<Int16>, strength: Int16,
        channels: Int, count: Int, to row: UnsafeMutablePointer<UInt8>
    ) {
        let left = sums
        let center = sums + channels
        let right = sums + 2 &* channels
        let factor = Int32(strength)
        var i = 0
        while i < count {
            let value = Int16(truncatingIfNeeded: middle[i]) &* 16
            let blur = left[i] &+ 2 &* center[i] &+ right[i]
            // The product 16 × difference × 8 fits into 16 bits, because the difference is at most
            // 255 × 12/16 × 16 = 3,060.
            let difference = Int32((value &- blur) &* 8)
            let change = Int16(truncatingIfNeeded: (difference &* factor) >> 16)
            let sum = value &+ change &+ 8
            row[i] = UInt8(truncatingIfNeeded: min(max(sum, 0), 4095) >> 4)
            i &+= 1
        }
    }
}
