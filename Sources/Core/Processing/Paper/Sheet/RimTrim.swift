import Imaging

extension Raster {
    /// The picture of a flat sheet without the lines at its rim that show the ground.
    ///
    /// Corners that are wrong by a pixel or two leave such a line, and the step `enhance` would
    /// make it black.
    ///
    /// Up to `most` of each side's outermost lines are removed if their mean clearly differs from
    /// the lines inside them.
    func withoutRim(most: Int) -> Raster {
        guard most > 0, [.gray8, .rgb8].contains(format), min(width, height) > 8 * (most + 2)
        else { return self }
        let bands = most + 2
        func cut(_ level: (Int) -> Double) -> Int {
            let levels = (0..<bands).map(level)
            // Print or a frame that begins there may look like such a line.
            guard (levels[most] - levels[most + 1]).magnitude <= Self.clear else { return 0 }
            let behind = (levels[most] + levels[most + 1]) / 2
            return levels[..<most].lastIndex { ($0 - behind).magnitude > Self.clear }.map { $0 + 1 }
                ?? 0
        }
        let (width, height) = (width, height)
        let left = cut { column($0) }
        let right = cut { column(width - 1 - $0) }
        let top = cut { row($0) }
        let bottom = cut { row(height - 1 - $0) }
        guard left + right + top + bottom > 0 else { return self }
        var result = cropped(
            to: PixelRect(
                x: left, y: top, width: width - left - right, height: height - top - bottom))
        result.resolution = resolution
        return result
    }

    /// A difference between the means of lines, 0…255, that is too large for light and grain.
    private static var clear: Double { 12 }

    private func row(_ y: Int) -> Double { mean(from: y * stride, step: samples, count: width) }

    private func column(_ x: Int) -> Double { mean(from: x * samples, step: stride, count: height) }

    private var samples: Int { format == .gray8 ? 1 : 3 }

    /// The mean of this many pixels, over all of their samples.
    private func mean(from start: Int, step: Int, count: Int) -> Double {
        let samples = samples
        return withBytes { bytes in
            var sum = 0
            for pixel in 0..<count {
                for sample in 0..<samples { sum += Int(bytes[start + pixel * step + sample]) }
            }
            return Double(sum) / Double(count * samples)
        }
    }
}
