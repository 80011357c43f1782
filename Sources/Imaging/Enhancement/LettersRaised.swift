import Glibc

extension Raster {
    /// The picture in 8-bit gray as dark letters on white, however weak or bright they were on whatever ground.
    ///
    /// From each pixel the mean of its surroundings is taken, and the rest divided by how much the surroundings vary, so that shadows, reflections
    /// that did not burn out, and weak etching come out alike. Letters cover less than half of a label: when more of what stands out is brighter
    /// than the ground, black and white are exchanged.
    ///
    /// - Parameters:
    ///   - reach: half the side of the surroundings in pixels, at least 4; two heights of a letter are best.
    ///   - softening: half the side of the square over which pixels are averaged first, in pixels; grain, and the grid of a screen, that is finer goes. 0
    ///     averages nothing.
    public func lettersRaised(reach: Int, softening: (x: Int, y: Int) = (0, 0)) -> Raster {
        let gray = format == .gray8 ? self : converted(to: .gray8)
        let (width, height) = (gray.width, gray.height)
        var soft = [Float](repeating: 0, count: width * height)
        let sums = SummedPixels(gray)
        for y in 0..<height {
            for x in 0..<width {
                soft[y &* width &+ x] = sums.mean(x, y, softening.x, softening.y).mean
            }
        }
        let surroundings = SummedPixels(soft, width, height)
        let reach = max(4, reach)
        // Where there is nothing but ground, its grain must not be raised as the letters are. These stand where the picture varies most.
        var deviations: [Float] = []
        for y in Swift.stride(from: reach / 2, to: height, by: reach / 2) {
            for x in Swift.stride(from: reach / 2, to: width, by: reach / 2) {
                deviations.append(surroundings.mean(x, y, reach / 2, reach / 2).deviation)
            }
        }
        deviations.sort()
        let floor = max(2, deviations.isEmpty ? 0 : 0.75 * deviations[deviations.count * 17 / 20])
        var raised = soft
        var (above, below) = (0, 0)
        for y in 0..<height {
            for x in 0..<width {
                let index = y &* width &+ x
                let about = surroundings.mean(x, y, reach, reach)
                let value = (soft[index] - about.mean) / max(about.deviation, floor)
                raised[index] = value
                if value > 1.5 { above &+= 1 } else if value < -1.5 { below &+= 1 }
            }
        }
        let sign: Float = above > below ? -1 : 1
        return gray.building(nil, nil, .gray8) { _, result in
            for y in 0..<height {
                let row = result.row(y)
                for x in 0..<width {
                    // White up to a fifth of what varies, black from two and a half times as much: strokes keep soft edges.
                    let darkness = (-sign * raised[y &* width &+ x] - 0.2) / 2.3
                    row[x] = UInt8(255 - 255 * min(max(darkness, 0), 1))
                }
            }
        }
    }
}

/// Sums of a picture's pixels and of their squares over any rectangle (Viola and Jones 2001, "integral image").
private struct SummedPixels {
    private let width: Int
    private let height: Int
    /// One row and column more than the picture: the sums of all that is above and left.
    private var sums: [Double]
    private var squares: [Double]

    init(_ gray: Raster) {
        let (width, height) = (gray.width, gray.height)
        self.init(width, height)
        gray.withRows { rows in
            for y in 0..<height {
                let row = rows.row(y)
                add(y) { Double(row[$0]) }
            }
        }
    }

    init(_ values: [Float], _ width: Int, _ height: Int) {
        self.init(width, height)
        for y in 0..<height { add(y) { Double(values[y &* width &+ $0]) } }
    }

    private init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
        sums = [Double](repeating: 0, count: (width + 1) * (height + 1))
        squares = sums
    }

    private mutating func add(_ y: Int, _ value: (Int) -> Double) {
        let stride = width &+ 1
        var (sum, square) = (0.0, 0.0)
        for x in 0..<width {
            let pixel = value(x)
            sum += pixel
            square += pixel * pixel
            let index = (y &+ 1) &* stride &+ x &+ 1
            sums[index] = sums[index &- stride] + sum
            squares[index] = squares[index &- stride] + square
        }
    }

    /// The mean and standard deviation within so many pixels of a place.
    func mean(_ x: Int, _ y: Int, _ reachX: Int, _ reachY: Int) -> (mean: Float, deviation: Float) {
        let (left, right) = (max(0, x &- reachX), min(width, x &+ reachX &+ 1))
        let (top, bottom) = (max(0, y &- reachY), min(height, y &+ reachY &+ 1))
        let stride = width &+ 1
        let (a, b) = (top &* stride &+ left, top &* stride &+ right)
        let (c, d) = (bottom &* stride &+ left, bottom &* stride &+ right)
        let count = Double((right &- left) &* (bottom &- top))
        let mean = (sums[d] - sums[b] - sums[c] + sums[a]) / count
        let square = (squares[d] - squares[b] - squares[c] + squares[a]) / count
        return (Float(mean), Float(max(0, square - mean * mean).squareRoot()))
    }
}
