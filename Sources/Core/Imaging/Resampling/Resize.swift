/// The weights of pixels when a picture changes size.
public enum ResizeFilter: Hashable, Sendable {
    /// The mean over the area of a result pixel: keeps means exactly, and never overshoots; best
    /// for shrinking. Enlarging repeats pixels.
    case area
    /// Linear interpolation between pixels; for shrinking, a triangle as wide as two result pixels.
    case bilinear
    /// The windowed sinc of Lanczos with three lobes: sharpest, but may overshoot beside hard
    /// edges; such values are clipped.
    case lanczos3
}

extension Raster {
    /// The picture in another size.
    ///
    /// The resolution is scaled with the width. A bilevel picture becomes gray8, because means are
    /// gray; other formats stay. A picture of one color keeps it exactly.
    ///
    /// - Parameters:
    ///   - width: the new width in pixels, at least 1.
    ///   - height: the new height in pixels, at least 1.
    ///   - filter: the weights of pixels.
    public func resized(to width: Int, _ height: Int, filter: ResizeFilter = .area) -> Raster {
        let source = format == .bilevel ? converted(to: .gray8) : self
        guard width != self.width || height != self.height else { return source }
        let isHalf = self.width == 2 * width && self.height == 2 * height
        var result =
            isHalf && filter == .area && source.format == .gray8
            ? source.halved()
            : source.resampled(
                across: FilterTaps(from: self.width, to: width, filter: filter),
                down: FilterTaps(from: self.height, to: height, filter: filter))
        result.resolution = resolution.map { $0 * Double(width) / Double(self.width) }
        return result
    }

    /// A small copy whose longer side has `longSide` pixels; the picture itself when it is no
    /// larger.
    ///
    /// It uses area averaging, and keeps the shape as closely as whole pixels allow. A smaller
    /// bilevel picture becomes gray8.
    ///
    /// - Parameter longSide: the pixels in the longer side, at least 1.
    public func thumbnail(longSide: Int) -> Raster {
        let long = max(width, height)
        guard longSide < long else { return self }
        func scaled(_ side: Int) -> Int { max(1, (side * longSide + long / 2) / long) }
        return resized(to: scaled(width), scaled(height), filter: .area)
    }

    /// A gray picture with even sides at half its size: the same result as from
    /// ``resampled(across:down:)`` by area.
    ///
    /// Pages of 300 dpi are examined at 150 dpi several times.
    private func halved() -> Raster {
        let width = width / 2
        return building(width, height / 2) { source, result in
            var y = 0
            while y < height / 2 {
                let (upper, lower) = (source.row(2 &* y), source.row(2 &* y &+ 1))
                let row = result.row(y)
                var x = 0
                while x < width {
                    let sum =
                        UInt16(upper[2 &* x]) &+ UInt16(upper[2 &* x &+ 1]) &+ UInt16(lower[2 &* x])
                        &+ UInt16(lower[2 &* x &+ 1])
                    // A half is rounded to the even neighbor, as `Float` rounds.
                    row[x] = UInt8(truncatingIfNeeded: (sum &+ 1 &+ (sum >> 2 & 1)) >> 2)
                    x &+= 1
                }
                y &+= 1
            }
        }
    }

    /// Resamples in two one-dimensional passes in `Float`.
    ///
    /// The vertical pass comes first, so that the slower horizontal one has fewer rows when
    /// shrinking.
    private func resampled(across: FilterTaps, down: FilterTaps) -> Raster {
        let channels = format.channels
        let samples = width * channels
        let outputSamples = across.count * channels
        return building(across.count, down.count) { source, result in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: samples + outputSamples) {
                let mixed = $0.baseAddress!
                let narrow = mixed + samples
                var y = 0
                while y < down.count {
                    mixed.initialize(repeating: 0, count: samples)
                    let first = down.starts[y]
                    var k = 0
                    while k < down.width {
                        let weight = down.weights[y &* down.width &+ k]
                        if weight != 0 {
                            SampleRow.add(
                                source.row(first &+ k), format, samples, weight: weight, to: mixed)
                        }
                        k &+= 1
                    }
                    across.apply(mixed, channels: channels, to: narrow)
                    SampleRow.store(narrow, count: outputSamples, format, to: result.row(y))
                    y &+= 1
                }
            }
        }
    }
}
