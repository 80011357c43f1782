import Imaging

/// The depth of each place of a page, that is, how much darker it is than the surrounding paper, in
/// any color channel, at about 150 dots per inch.
///
/// The darkest channel is used, so that a yellow or pale red mark counts like a gray one of its
/// strength. The light is evened first, so that tinted paper and shadows count as paper.
struct InkMap {
    let width: Int
    let height: Int
    /// The map's resolution in dots per inch; an assumed one if the page's is unknown.
    let resolution: Double
    /// The depth of each pixel, row by row: 0 for paper, 255 for black.
    let depth: [UInt8]
    /// The variation of paper by noise and grain, as a standard deviation in levels.
    let noise: Double

    /// The map of `image`; nil when the picture is too small, or has no paper that is bright
    /// enough.
    init?(_ image: Raster) {
        let long = Double(max(image.width, image.height))
        let known = image.plausibleResolution ?? long / 11.69
        let scale = min(1, 150 / known, 4000 / long)
        let size = (
            Int((Double(image.width) * scale).rounded()),
            Int((Double(image.height) * scale).rounded())
        )
        guard size.0 >= 64, size.1 >= 64 else { return nil }
        let plain = image.converted(to: image.format.channels == 3 ? .rgb8 : .gray8)
            .resized(to: size.0, size.1, filter: .area)
        guard LightMeasure(plain.converted(to: .gray8)).brightest >= 0.3 else { return nil }
        let even = plain.lightEvened(tile: 48)
        width = size.0
        height = size.1
        resolution = known * scale
        var depth = [UInt8](repeating: 0, count: size.0 * size.1)
        var counts = [Int](repeating: 0, count: 256)
        let channels = even.format.channels
        even.withBytes { bytes in
            for y in 0..<size.1 {
                for x in 0..<size.0 {
                    let at = y * even.stride + x * channels
                    var least = bytes[at]
                    if channels == 3 { least = min(least, bytes[at + 1], bytes[at + 2]) }
                    depth[y * size.0 + x] = 255 - least
                    counts[Int(255 - least)] += 1
                }
            }
        }
        // The paper's own level is the median of the pixels that are not ink. Its spread is taken
        // only from the darker half, because a scanner clips the lighter half to white, and only
        // near the median, because there is ink farther away.
        let levels = counts[0..<96]
        let paper = Int(Self.level(below: 0.5, of: levels).rounded())
        noise = (Self.level(below: 0.7, of: levels) - Self.level(below: 0.5, of: levels)) / 0.5244
        if paper > 0 {
            for index in depth.indices { depth[index] -= min(depth[index], UInt8(paper)) }
        }
        self.depth = depth
    }

    /// Converts millimeters to pixels of this map.
    func pixels(_ millimeters: Double) -> Double { millimeters / 25.4 * resolution }

    /// The patches that are darker than the paper by more than `level`.
    func components(deeperThan level: Int) -> InkComponents {
        var mask = Raster(width: width, height: height, format: .bilevel)
        let stride = mask.stride
        mask.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width where Int(depth[y * width + x]) > level {
                    bytes[y * stride + x / 8] |= 0x80 >> UInt8(x % 8)
                }
            }
        }
        return InkComponents(of: mask)
    }

    /// The level, to fractions, below which `share` of the pixels lie.
    private static func level(below share: Double, of counts: ArraySlice<Int>) -> Double {
        let wanted = share * Double(counts.reduce(0, +))
        var sum = 0.0
        for (level, count) in counts.enumerated() where count > 0 {
            if sum + Double(count) >= wanted {
                return max(0, Double(level) - 0.5 + (wanted - sum) / Double(count))
            }
            sum += Double(count)
        }
        return 0
    }
}
