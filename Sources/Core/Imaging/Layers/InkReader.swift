/// Reads the color of ink off a page.
struct InkReader {
    private let colors: PixelRows
    private let levels: PixelRows
    private let channels: Int

    /// - Parameters:
    ///   - levels: the same page in gray.
    ///   - channels: the samples in a pixel of `colors`, 1 or 3.
    init(colors: PixelRows, levels: PixelRows, _ channels: Int) {
        self.colors = colors
        self.levels = levels
        self.channels = channels
    }

    /// The mean of the pixels that are no brighter than the mean: brighter ones are edges, mixed
    /// with paper.
    func color(of runs: ArraySlice<InkComponents.Run>) -> SIMD3<Float> {
        var (sum, count) = (0, 0)
        for run in runs {
            let row = levels.row(run.y)
            for x in run.start..<run.end { sum += Int(row[x]) }
            count += run.end - run.start
        }
        let mean = sum / max(1, count)
        var total = SIMD3<Int>()
        var dark = 0
        for run in runs {
            let row = levels.row(run.y)
            let pixels = colors.row(run.y)
            for x in run.start..<run.end where Int(row[x]) <= mean {
                let at = x * channels
                total &+= SIMD3(
                    Int(pixels[at]), Int(pixels[at + channels / 2]), Int(pixels[at + channels - 1]))
                dark += 1
            }
        }
        return SIMD3<Float>(total) / Float(max(1, dark))
    }

    /// The mean of a pixel and its two neighbors, which evens out grain.
    func mean(about x: Int, _ y: Int) -> SIMD3<Float> {
        let pixels = colors.row(y)
        var sum = SIMD3<Int>()
        for at in stride(from: (x - 1) * channels, through: (x + 1) * channels, by: channels) {
            sum &+= SIMD3(
                Int(pixels[at]), Int(pixels[at + channels / 2]), Int(pixels[at + channels - 1]))
        }
        return SIMD3<Float>(sum) / 3
    }

    /// The mean difference in hue between pixels and a color, in levels.
    func hueSpread(
        of runs: ArraySlice<InkComponents.Run>, about color: SIMD3<Float>
    ) -> Float {
        let middle = Self.hue(color)
        var (sum, count): (Float, Int) = (0, 0)
        for run in runs {
            let pixels = colors.row(run.y)
            for x in run.start..<run.end {
                let at = 3 * x
                let pixel = SIMD3(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]))
                let gap = Self.hue(pixel) - middle
                sum += (gap * gap).sum().squareRoot()
            }
            count += run.end - run.start
        }
        return sum / Float(max(1, count))
    }

    /// Red minus green and blue minus green; both are 0 for a gray.
    static func hue(_ color: SIMD3<Float>) -> SIMD2<Float> {
        SIMD2(color.x - color.y, color.z - color.y)
    }
}
