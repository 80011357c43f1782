import CLeptonica

extension Raster {
    /// The picture in 8-bit gray as dark letters on white, even if they were weak or bright on
    /// their background.
    ///
    /// The background at a pixel is the median of its surroundings. Letters cover less than half of
    /// these, and unlike a mean, the median follows a reflection without being affected by letters
    /// or the reflection's rim. Differences from the background become black by the same measure
    /// everywhere, so that all letters look alike and grain stays weak. If the strongest
    /// differences are brighter than the background, black and white are exchanged.
    ///
    /// - Parameters:
    ///   - reach: half the side of the surroundings in pixels, at least 4; half the height of a
    ///     letter is best.
    ///   - softening: half the side, in pixels, of the rectangle over which pixels are averaged
    ///     first, which removes finer grain and the grid of a screen; 0 for no averaging.
    /// - Throws: `libraryFailed` when memory runs out.
    public func lettersRaised(
        reach: Int, softening: (x: Int, y: Int) = (0, 0)
    ) throws(ImagingError) -> Raster {
        let gray = format == .gray8 ? self : converted(to: .gray8)
        let (width, height) = (gray.width, gray.height)
        let soft = SummedPixels(gray).means(softening.x, softening.y)
        let reach = max(4, reach)
        let ground = SummedPixels(try Self.of(soft, like: gray).median(reach: reach))
            .means(reach / 4, reach / 4)
        let relief = zip(soft, ground).map { $0 - $1 }
        let letters = InkMeasure(relief)
        return gray.building(nil, nil, format: .gray8) { _, result in
            for y in 0..<height {
                let row = result.row(y)
                for x in 0..<width {
                    row[x] = UInt8(255 - 255 * letters.darkness(relief[y &* width &+ x]))
                }
            }
        }
    }

    /// A picture of the values, 0…255, with the size of `gray`.
    private static func of(_ values: [Float], like gray: Raster) -> Raster {
        gray.building(nil, nil, format: .gray8) { _, result in
            for y in 0..<gray.height {
                let row = result.row(y)
                for x in 0..<gray.width { row[x] = UInt8(values[y &* gray.width &+ x]) }
            }
        }
    }

    /// Each pixel's median within this many pixels of it, by leptonica's `pixMedianFilter`.
    private func median(reach: Int) throws(ImagingError) -> Raster {
        let side = { (length: Int) in Int32(min(2 * reach + 1, length)) }
        let picture = try PixHandle(self)
        guard
            let filtered = PixHandle(pixMedianFilter(picture.pointer, side(width), side(height)))
        else {
            throw ImagingError(
                .libraryFailed,
                "Leptonica could not find the background of a picture of \(width) × \(height) pixels."
            )
        }
        return try filtered.raster()
    }
}

/// The distances of a picture's letters and of its grain from the background.
private struct InkMeasure {
    /// The letters' direction: 1 for darker than the background, −1 for brighter.
    private let sign: Float
    /// Pixels are white up to this many levels from the background, and black beyond this many;
    /// between both, strokes keep soft edges.
    private let (white, black): (Float, Float)

    /// A picture that differs from its background by at most this many levels is empty.
    private static let least: Float = 2

    /// - Parameter relief: each pixel less its background; at least one pixel.
    init(_ relief: [Float]) {
        let sorted = relief.sorted()
        let count = sorted.count
        let isDark = -sorted[count / 200] >= sorted[count - 1 - count / 200]
        sign = isDark ? -1 : 1
        let ink = isDark ? sorted.reversed().map { -$0 } : sorted
        // On the other side of the background there is only grain, which extends equally far on
        // this side.
        let grain = max(-ink[count / 100], 0)
        let letters = ink.drop { $0 <= 1.5 * grain }
        let strength =
            letters.count >= max(1, count / 1000)
            ? letters[letters.startIndex + letters.count * 7 / 10] : ink[count - 1 - count / 200]
        black = max(strength, Self.least)
        white = min(max(0.35 * grain, 0.15 * black), 0.5 * black)
    }

    /// The blackness of a pixel, 0…1, by its distance from the background.
    func darkness(_ relief: Float) -> Float {
        min(max((sign * relief - white) / (black - white), 0), 1)
    }
}

/// Sums of a picture's pixels over any rectangle (Viola and Jones 2001, "integral image").
private struct SummedPixels {
    private let width: Int
    private let height: Int
    /// A table with one row and column more than the picture: the sums of all pixels above and to
    /// the left.
    private var sums: [Int]

    init(_ gray: Raster) {
        (width, height) = (gray.width, gray.height)
        let stride = gray.width + 1
        sums = [Int](repeating: 0, count: stride * (gray.height + 1))
        gray.withRows { rows in
            for y in 0..<height {
                let row = rows.row(y)
                var sum = 0
                for x in 0..<width {
                    sum &+= Int(row[x])
                    let index = (y &+ 1) &* stride &+ x &+ 1
                    sums[index] = sums[index &- stride] &+ sum
                }
            }
        }
    }

    /// The mean around each pixel, over this many pixels to the left and right, and above and
    /// below; over fewer at the rim.
    func means(_ reachX: Int, _ reachY: Int) -> [Float] {
        var means = [Float](repeating: 0, count: width * height)
        let stride = width + 1
        for y in 0..<height {
            let (top, bottom) = (max(0, y &- reachY), min(height, y &+ reachY &+ 1))
            for x in 0..<width {
                let (left, right) = (max(0, x &- reachX), min(width, x &+ reachX &+ 1))
                let sum =
                    sums[bottom &* stride &+ right] &- sums[top &* stride &+ right]
                    &- sums[bottom &* stride &+ left] &+ sums[top &* stride &+ left]
                means[y &* width &+ x] = Float(sum) / Float((right &- left) &* (bottom &- top))
            }
        }
        return means
    }
}
