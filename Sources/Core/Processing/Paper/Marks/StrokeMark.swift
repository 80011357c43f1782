import Imaging

/// A mark on the ground beside a sheet, measured in millimeters to distinguish a pen's or printer's
/// strokes from hair, dust, crumbs, scratches and the shadows of edges.
struct StrokeMark {
    /// The smallest rectangle around the mark.
    let box: PixelRect
    /// The longer side of the box.
    let size: Double
    /// The mean width of the mark's strokes.
    let width: Double
    /// The total length of the strokes as a multiple of `size`: 1 for a straight line, at least 2
    /// for most letters.
    let bend: Double
    /// The amount of ink on a stroke: its mean depth in levels, times its width.
    ///
    /// A hair is as dark as a pen's stroke, but narrower.
    let ink: Double
    /// The depth in levels that a tenth of the mark exceeds.
    let depth: Int
    /// The fraction of the box that the mark fills, 0…1.
    let fill: Double

    /// Measures a component.
    ///
    /// - Parameters:
    ///   - all: all components, including this one.
    ///   - mask: the picture from which `all` was made: 1 is ink.
    ///   - depths: the difference of each pixel from the ground, row by row, as wide as `mask`.
    ///   - millimeter: the number of pixels in a millimeter.
    init(
        _ component: InkComponents.Component, in all: InkComponents, mask: Raster,
        depths: [UInt8], millimeter: Double
    ) {
        var (sides, sum) = (0, 0)
        var counts = [Int](repeating: 0, count: 256)
        let (columns, rows, stride) = (mask.width, mask.height, mask.stride)
        mask.withBytes { bytes in
            func isInk(_ x: Int, _ y: Int) -> Bool {
                y >= 0 && y < rows && bytes[y * stride + x / 8] & (0x80 >> UInt8(x % 8)) != 0
            }
            for run in all.runs[component.runs] {
                sides += 2
                for x in run.start..<run.end {
                    if !isInk(x, run.y - 1) { sides += 1 }
                    if !isInk(x, run.y + 1) { sides += 1 }
                    let depth = depths[run.y * columns + x]
                    sum += Int(depth)
                    counts[Int(depth)] += 1
                }
            }
        }
        // The sides of pixels along a slanting line are longer than the line, by 4/π on average.
        let length = Double(sides) * .pi / 8
        box = component.box
        let longer = Double(max(box.width, box.height))
        size = longer / millimeter
        width = Double(component.area) / length / millimeter
        bend = length / longer
        ink = Double(sum) / length / millimeter
        fill = Double(component.area) / Double(box.width * box.height)
        var above = 0
        depth =
            counts.indices.reversed().first { level in
                above += counts[level]
                return 10 * above >= component.area
            } ?? 0
    }

    /// The sizes of letters, in millimeters.
    static let letterSizes = 1.2...12.0

    /// True for a mark that may be a letter, if others are beside it.
    var isLetter: Bool {
        Self.letterSizes.contains(size) && width <= min(2, 0.3 * size) && ink >= 10 && depth >= 40
            && fill >= 0.2
    }

    /// True for a letter that needs only one neighbor.
    var isClearLetter: Bool { isLetter && ink >= 15 && depth >= 45 }

    /// True for writing without neighbors: a large letter or digit, a word or signature in one
    /// stroke, or a scribble.
    var isWriting: Bool {
        guard bend >= 1.4, depth >= 50 else { return false }
        let isThin = width <= 0.22 * size && bend >= 1.6
        if isThin, (2...12).contains(size), fill >= 0.2, ink >= 27, depth >= 70 { return true }
        if isThin, (4...80).contains(size), width <= 3,
            fill >= 0.1 && ink >= 37 || fill >= 0.06 && ink >= 65
        {
            return true
        }
        return (5...20).contains(size) && width <= 0.37 * size && depth >= 60 && ink >= 100
            && (0.2...0.72).contains(fill)
    }

    /// True when another mark is as near and as similar as the next letter in a word.
    func isNext(to other: StrokeMark, millimeter: Double) -> Bool {
        func gap(_ a: (Int, Int), _ b: (Int, Int)) -> Double {
            Double(max(0, max(a.0, b.0) - min(a.0 + a.1, b.0 + b.1)))
        }
        let across = gap((box.x, box.width), (other.box.x, other.box.width))
        let down = gap((box.y, box.height), (other.box.y, other.box.height))
        let distance = (across * across + down * down).squareRoot() / millimeter
        return distance <= max(size, other.size)
            && (0.4...2.5).contains(size / other.size)
            && (0.5...2).contains(width / other.width)
            && (0.6...1.67).contains(Double(depth) / Double(max(1, other.depth)))
    }
}
