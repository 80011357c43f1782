/// A picture made of rectangles.
///
/// Rows change only where a rectangle begins or ends, so a page has a few hundred different rows at
/// any resolution, and the others are copies.
struct DrawnPicture: RowPicture {
    let width: Int
    let height: Int
    let resolution: Double?
    let label: String?
    private let ground: RGB
    /// The first rows of the bands of equal rows, in order, with the rectangles that cross each.
    private let bands: [Band]

    private struct Band {
        var top: Int
        var spans: [PixelSpan]
    }

    /// Draws `rectangles` in order over `ground`; parts outside the picture are cut off.
    init(
        width: Int, height: Int, resolution: Double?, label: String?, ground: RGB,
        rectangles: [PixelRectangle]
    ) {
        self.width = width
        self.height = height
        self.resolution = resolution
        self.label = label
        self.ground = ground
        let visible = rectangles.compactMap { $0.clipped(width: width, height: height) }
        let tops = Set([0] + visible.flatMap { [$0.y.lowerBound, $0.y.upperBound] })
            .filter { $0 < height }.sorted()
        var bands = tops.map { Band(top: $0, spans: []) }
        for rectangle in visible {
            var index = DrawnPicture.position(of: rectangle.y.lowerBound, in: tops)
            while index < bands.count, bands[index].top < rectangle.y.upperBound {
                bands[index].spans.append(PixelSpan(x: rectangle.x, color: rectangle.color))
                index += 1
            }
        }
        self.bands = bands
    }

    func row(_ y: Int, color: Bool, into samples: UnsafeMutableBufferPointer<UInt8>) {
        fill(samples, 0..<width, tone: ground, color: color)
        for span in bands[bandIndex(of: y)].spans {
            fill(samples, span.x, tone: span.color, color: color)
        }
    }

    func equalRows(from y: Int) -> Int {
        let next = bandIndex(of: y) + 1
        return (next < bands.count ? bands[next].top : height) - y
    }

    private func bandIndex(of y: Int) -> Int {
        var low = 0
        var high = bands.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if bands[middle].top <= y { low = middle } else { high = middle }
        }
        return low
    }

    private static func position(of top: Int, in tops: [Int]) -> Int {
        var low = 0
        var high = tops.count
        while low < high {
            let middle = (low + high) / 2
            if tops[middle] < top { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func fill(
        _ samples: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>, tone: RGB,
        color: Bool
    ) {
        guard color else {
            samples.extracting(range).update(repeating: tone.luma)
            return
        }
        for x in range {
            samples[3 * x] = tone.red
            samples[3 * x + 1] = tone.green
            samples[3 * x + 2] = tone.blue
        }
    }
}

/// A run of pixels of one color within a row.
private struct PixelSpan: Sendable {
    var x: Range<Int>
    var color: RGB
}

/// A rectangle of one color, in pixels.
struct PixelRectangle: Sendable {
    var x: Range<Int>
    var y: Range<Int>
    var color: RGB

    func clipped(width: Int, height: Int) -> PixelRectangle? {
        let x = x.clamped(to: 0..<width)
        let y = y.clamped(to: 0..<height)
        return x.isEmpty || y.isEmpty ? nil : PixelRectangle(x: x, y: y, color: color)
    }
}
