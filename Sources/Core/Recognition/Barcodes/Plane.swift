import Glibc
import Imaging

/// A gray picture whose levels are numbers of any size, so that a filter loses nothing for the next
/// one.
struct Plane {
    private let width: Int
    private let height: Int
    private var levels: [Float]

    /// The levels of a `gray8` picture.
    init(_ gray: Raster) {
        (width, height) = (gray.width, gray.height)
        levels = []
        levels.reserveCapacity(width * height)
        gray.withBytes { bytes in
            for y in 0..<height {
                for x in 0..<width { levels.append(Float(bytes[y * gray.stride + x])) }
            }
        }
    }

    /// A `gray8` picture of the rounded levels.
    func rounded() -> Raster { raster { $0 } }

    /// A `gray8` picture in which the darkest hundredth is black and the brightest tenth is white.
    func stretched() -> Raster {
        let (low, high) = spread()
        let factor = 235 / max(1, high - low)
        return raster { ($0 - low) * factor + 10 }
    }

    private func raster(_ level: (Float) -> Float) -> Raster {
        var result = Raster(width: width, height: height, format: .gray8)
        let stride = result.stride
        result.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let value = level(levels[y * width + x]).rounded()
                    bytes[y * stride + x] = UInt8(min(max(0, value), 255))
                }
            }
        }
        return result
    }

    /// The levels below which a hundredth and nine tenths of the pixels lie.
    private func spread() -> (low: Float, high: Float) {
        guard let least = levels.min(), let most = levels.max(), most > least else {
            return (0, 255)
        }
        var counts = [Int](repeating: 0, count: 1024)
        let factor = 1023 / (most - least)
        for level in levels { counts[Int((level - least) * factor)] += 1 }
        func level(_ share: Double) -> Float {
            var left = Int(Double(levels.count) * share)
            let place = counts.firstIndex {
                left -= $0
                return left < 0
            }
            return least + Float(place ?? 1023) / factor
        }
        return (level(0.01), level(0.9))
    }

    /// Adds the difference of two pictures of the same size.
    mutating func add(_ more: Plane, minus less: Plane) {
        levels.withUnsafeMutableBufferPointer { levels in
            more.levels.withUnsafeBufferPointer { more in
                less.levels.withUnsafeBufferPointer { less in
                    for i in 0..<levels.count { levels[i] += more[i] - less[i] }
                }
            }
        }
    }

    /// Replaces each level by the mean of the levels up to `reach` pixels above and below it.
    mutating func averageColumns(reach: Int) {
        let taps = [Float](repeating: 1 / Float(2 * reach + 1), count: reach + 1)
        levels = columnsFiltered(levels, taps)
    }

    /// The picture filtered with the same weights along rows and columns; the first weight is for
    /// the pixel itself, the others for the pixels at that distance on both sides.
    func filtered(_ taps: [Float]) -> Plane {
        var result = self
        result.levels = columnsFiltered(rowsFiltered(taps), taps)
        return result
    }

    /// The weights of a Gaussian filter.
    static func gaussian(deviation: Double) -> [Float] {
        let reach = max(1, Int((2.5 * deviation).rounded(.up)))
        let heights = (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = 2 * heights.reduce(0, +) - heights[0]
        return heights.map { Float($0 / sum) }
    }

    private func columnsFiltered(_ source: [Float], _ taps: [Float]) -> [Float] {
        var result = [Float](repeating: 0, count: source.count)
        result.withUnsafeMutableBufferPointer { result in
            source.withUnsafeBufferPointer { source in
                for y in 0..<height {
                    let row = y &* width
                    for (distance, tap) in taps.enumerated() {
                        let above = max(0, y - distance) &* width
                        let below = min(height - 1, y + distance) &* width
                        let share = distance == 0 ? tap / 2 : tap
                        for x in 0..<width {
                            result[row &+ x] += share * (source[above &+ x] + source[below &+ x])
                        }
                    }
                }
            }
        }
        return result
    }

    private func rowsFiltered(_ taps: [Float]) -> [Float] {
        var result = [Float](repeating: 0, count: levels.count)
        let reach = taps.count - 1
        var padded = [Float](repeating: 0, count: width + 2 * reach)
        result.withUnsafeMutableBufferPointer { result in
            levels.withUnsafeBufferPointer { levels in
                padded.withUnsafeMutableBufferPointer { padded in
                    for y in 0..<height {
                        let row = y &* width
                        for x in 0..<padded.count {
                            padded[x] = levels[row &+ min(max(0, x &- reach), width &- 1)]
                        }
                        for (distance, tap) in taps.enumerated() {
                            let share = distance == 0 ? tap / 2 : tap
                            for x in 0..<width {
                                let at = x &+ reach
                                result[row &+ x] +=
                                    share * (padded[at &- distance] + padded[at &+ distance])
                            }
                        }
                    }
                }
            }
        }
        return result
    }
}
