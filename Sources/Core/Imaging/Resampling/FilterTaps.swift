import Glibc

/// For each pixel of a resized line: the pixels of the old line that contribute to it, and their
/// weights, which add up to 1.
struct FilterTaps {
    /// The number of pixels in the new line.
    let count: Int
    /// The number of weights for each pixel; unused weights are zero.
    let width: Int
    /// The first old pixel for each new one; `starts[i] + width` never exceeds the old line.
    let starts: [Int]
    /// The weights, `width` for each new pixel.
    let weights: [Float]

    init(from old: Int, to new: Int, filter: ResizeFilter) {
        let scale = Double(old) / Double(new)
        // The filter's half width in old pixels.
        let stretch = max(1, scale)
        let reach: Double =
            switch filter {
            case .area: scale / 2
            case .bilinear: stretch
            case .lanczos3: 3 * stretch
            }
        let width = min(old, Int((2 * reach).rounded(.up)) + 1)
        var starts: [Int] = []
        var weights: [Float] = []
        starts.reserveCapacity(new)
        weights.reserveCapacity(new * width)
        for i in 0..<new {
            let center = (Double(i) + 0.5) * scale
            let start = min(max(0, Int((center - reach).rounded(.down))), old - width)
            var line = (0..<width).map { k -> Double in
                Self.weight(
                    filter, pixel: Double(start + k), center: center, stretch: stretch, reach: reach
                )
            }
            let sum = line.reduce(0, +)
            if sum.magnitude > 1e-9 {
                line = line.map { $0 / sum }
            } else {
                // Only rounding can leave a pixel without any weight; then the nearest old pixel is
                // used.
                let nearest = min(max(0, Int(center) - start), width - 1)
                line = line.indices.map { $0 == nearest ? 1 : 0 }
            }
            starts.append(start)
            weights.append(contentsOf: line.map(Float.init))
        }
        count = new
        self.width = width
        self.starts = starts
        self.weights = weights
    }

    private static func weight(
        _ filter: ResizeFilter, pixel: Double, center: Double, stretch: Double, reach: Double
    ) -> Double {
        if filter == .area {
            return max(0, min(pixel + 1, center + reach) - max(pixel, center - reach))
        }
        let distance = (pixel + 0.5 - center).magnitude / stretch
        if filter == .bilinear { return max(0, 1 - distance) }
        if distance >= 3 { return 0 }
        if distance < 1e-9 { return 1 }
        let angle = Double.pi * distance
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }

    /// Applies the weights to one line of `channels` interleaved samples per pixel.
    func apply(
        _ line: UnsafePointer<Float>, channels: Int, to result: UnsafeMutablePointer<Float>
    ) {
        starts.withUnsafeBufferPointer { starts in
            weights.withUnsafeBufferPointer { weights in
                var i = 0
                while i < count {
                    let own = weights.baseAddress! + i &* width
                    let from = line + starts[i] &* channels
                    var channel = 0
                    while channel < channels {
                        var sum: Float = 0
                        var k = 0
                        while k < width {
                            sum += own[k] * from[k &* channels &+ channel]
                            k &+= 1
                        }
                        result[i &* channels &+ channel] = sum
                        channel &+= 1
                    }
                    i &+= 1
                }
            }
        }
    }
}
