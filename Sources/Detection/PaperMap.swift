import Imaging

/// A small map of how much each place looks like white paper, 0…255.
///
/// For colour that is the least of red, green and blue: white paper is bright in all three, while wood, skin and cloth are dark in one.
struct PaperMap {
    let width: Int
    let height: Int
    /// Row after row.
    let values: [UInt8]
    /// How steeply brightness changes at each place, in levels from one place to the next: low on paper, high at its edges.
    let steepness: [UInt8]

    init(of image: Raster, longSide: Int) {
        let small = image.thumbnail(longSide: longSide)
        let isColour = small.format.channels == 3
        let plain = small.converted(to: isColour ? .rgb8 : .gray8)
        width = plain.width
        height = plain.height
        var values: [UInt8] = []
        values.reserveCapacity(width * height)
        plain.withBytes { bytes in
            for y in 0..<plain.height {
                for x in 0..<plain.width {
                    let at = y * plain.stride + x * (isColour ? 3 : 1)
                    values.append(
                        isColour ? min(bytes[at], bytes[at + 1], bytes[at + 2]) : bytes[at])
                }
            }
        }
        self.values = Self.blurred(values, width: width, height: height)
        steepness = Self.steepness(of: self.values, width: width, height: height)
    }

    /// The larger of the changes across and down, from the neighbours on either side.
    private static func steepness(of values: [UInt8], width: Int, height: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: values.count)
        guard width > 2, height > 2 else { return result }
        values.withUnsafeBufferPointer { from in
            for y in 1..<height - 1 {
                for x in 1..<width - 1 {
                    let at = y &* width &+ x
                    let across = Int(from[at &+ 1]) &- Int(from[at &- 1])
                    let down = Int(from[at &+ width]) &- Int(from[at &- width])
                    result[at] = UInt8(max(across.magnitude, down.magnitude) / 2)
                }
            }
        }
        return result
    }

    /// The mean of 3 × 3 places, so that letters and grain do not tear the paper.
    private static func blurred(_ values: [UInt8], width: Int, height: Int) -> [UInt8] {
        guard width > 2, height > 2 else { return values }
        var result = values
        values.withUnsafeBufferPointer { from in
            for y in 1..<height - 1 {
                for x in 1..<width - 1 {
                    let at = y &* width &+ x
                    var sum = 0
                    for row in [at &- width, at, at &+ width] {
                        sum &+= Int(from[row &- 1]) &+ Int(from[row]) &+ Int(from[row &+ 1])
                    }
                    result[at] = UInt8(truncatingIfNeeded: (sum &+ 4) / 9)
                }
            }
        }
        return result
    }

    /// 1 where the map is brighter than `level` and no steeper than `steepest`, 0 elsewhere.
    func mask(above level: UInt8, upTo steepest: UInt8) -> [UInt8] {
        Array(unsafeUninitializedCapacity: values.count) { mask, count in
            values.withUnsafeBufferPointer { values in
                steepness.withUnsafeBufferPointer { steepness in
                    var i = 0
                    while i < values.count {
                        mask[i] = values[i] > level && steepness[i] <= steepest ? 1 : 0
                        i &+= 1
                    }
                }
            }
            count = values.count
        }
    }

    /// Brightness levels between the dark and the bright parts of the map, evenly spaced, at most `count`.
    func levels(_ count: Int) -> [UInt8] {
        var histogram = [Int](repeating: 0, count: 256)
        for value in values { histogram[Int(value)] += 1 }
        func percentile(_ part: Double) -> Int {
            var left = Int(part * Double(values.count))
            for value in 0..<256 {
                left -= histogram[value]
                if left < 0 { return value }
            }
            return 255
        }
        let (low, high) = (percentile(0.02), percentile(0.97))
        let levels = (1...count).map { low + (high - low) * $0 / (count + 1) }
        return Array(Set(levels)).sorted().map(UInt8.init)
    }
}
