public import Imaging

/// How well a page can be seen in a frame: how sharp and how well lit.
///
/// Every second row inside the page's corners is looked at, so that it takes a fraction of a millisecond on a frame of half a million pixels.
public struct PageMeasures: Hashable, Sendable {
    /// How sharp edges are, about 1 for the sharpest a picture can hold and falling as they spread; nil when the page has too few.
    ///
    /// The root of the Laplacian's energy over the gradient's, where there is an edge. Unlike the Laplacian's variance it does not grow with the amount of
    /// lettering, so that an empty page compares with a full one.
    public var sharpness: Double?
    /// The level, 0…255, that a tenth of the page is brighter than: about that of its paper.
    public var paper: Int
    /// The level in the page's middle of all levels, 0…255.
    public var median: Int
    /// The part of the page, 0…1, that is burnt out by a reflection: at the top of the scale, with soft edges, on paper that is not.
    public var glare: Double

    /// A page's measures, such as a test states them.
    public init(sharpness: Double?, paper: Int, median: Int, glare: Double) {
        self.sharpness = sharpness
        self.paper = paper
        self.median = median
        self.glare = glare
    }

    /// Measures the page inside `quad`; nil when it has no pixel of the picture.
    ///
    /// - Parameters:
    ///   - quad: a convex quad in pixels of the picture.
    ///   - luma: a gray8 picture; others are converted first.
    public init?(of quad: Quad, in luma: Raster) {
        guard quad.isConvex else { return nil }
        let gray = luma.format == .gray8 ? luma : luma.converted(to: .gray8)
        var sums = Sums()
        gray.withBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            var y = 1
            while y < gray.height - 1 {
                if let columns = quad.columns(ofRow: y, width: gray.width) {
                    sums.add(base + y * gray.stride, stride: gray.stride, columns)
                }
                y += 2
            }
        }
        guard sums.count > 0 else { return nil }
        sharpness = sums.sharpness
        paper = sums.level(0.9)
        median = sums.level(0.5)
        glare = sums.glare
    }
}

extension Quad {
    /// The inner columns of a row of pixels that lie inside a convex quad and have neighbours on both sides; nil for none.
    fileprivate func columns(ofRow row: Int, width: Int) -> Range<Int>? {
        let y = Double(row) + 0.5
        var (left, right) = (Double.infinity, -Double.infinity)
        let points = corners
        for i in 0..<4 {
            let (a, b) = (points[i], points[(i + 1) % 4])
            guard (a.y <= y) != (b.y <= y) else { continue }
            let x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)
            left = min(left, x)
            right = max(right, x)
        }
        guard left < right, left < Double(width), right > 0 else { return nil }
        let (first, end) = (
            max(1, Int(max(left, 0))), min(width - 1, Int(min(right, Double(width))))
        )
        return first < end ? first..<end : nil
    }
}

/// What is summed over the rows of a page.
private struct Sums {
    /// The square of the least difference over two pixels that counts as an edge.
    private static let leastEdge: Int32 = 24 * 24
    /// From this level on a sensor is taken to be full.
    private static let full: UInt8 = 252
    /// Where what is not full is mostly at this level or above, the page is white all over, and no reflection.
    private static let whitePaper = 225
    /// The least part of the page that is not full; where less is, it is print on paper that is too bright all over.
    private static let leastUnburnt = 0.3
    /// How far from the last full pixel the level is looked at, in pixels.
    private static let slope = 4
    /// How far a level falls by then: more than the first is print or the page's edge, less than the second noise.
    ///
    /// Between them is a reflection's slope if it falls on by more than the third over as many pixels again, otherwise a white label on paper that is not quite white.
    private static let (hardStep, softStep, further): (Int32, Int32, Int32) = (48, 6, 3)
    /// How far the level of a wide reflection, or of paper that a lamp burns out, falls by four and eight times as many pixels: noise does not, and print falls at once.
    private static let (gentleHalf, gentleStep): (Int32, Int32) = (4, 12)

    private var gradient = 0
    private var laplacian = 0
    private var edges = 0
    private var histogram = [Int](repeating: 0, count: 256)
    private var fullSoft = 0
    private var fullHard = 0
    private(set) var count = 0

    mutating func add(_ row: UnsafePointer<UInt8>, stride: Int, _ columns: Range<Int>) {
        var (gradient, laplacian, edges) = (0, 0, 0)
        var (soft, hard) = (0, 0)
        histogram.withUnsafeMutableBufferPointer { histogram in
            var x = columns.lowerBound
            while x < columns.upperBound {
                let here = Int32(row[x])
                let (west, east) = (Int32(row[x &- 1]), Int32(row[x &+ 1]))
                let (north, south) = (Int32(row[x &- stride]), Int32(row[x &+ stride]))
                let (across, down) = (east &- west, south &- north)
                let square = across &* across &+ down &* down
                if square >= Self.leastEdge {
                    let curve = 4 &* here &- west &- east &- north &- south
                    gradient &+= Int(square)
                    laplacian &+= Int(curve &* curve)
                    edges &+= 1
                }
                histogram[Int(here)] &+= 1
                if row[x] >= Self.full, row[x &+ 1] < Self.full {
                    let near = Int32(row[min(x &+ Self.slope, columns.upperBound)])
                    let far = Int32(row[min(x &+ 2 &* Self.slope, columns.upperBound)])
                    let fall = here &- near
                    if fall > Self.hardStep || fall > Self.softStep && near &- far <= Self.further {
                        hard &+= 1
                    } else if fall > Self.softStep {
                        soft &+= 1
                    } else {
                        let wide = Int32(row[min(x &+ 4 &* Self.slope, columns.upperBound)])
                        let wider = Int32(row[min(x &+ 8 &* Self.slope, columns.upperBound)])
                        let isGentle =
                            here &- wide >= Self.gentleHalf && wide &- wider >= Self.gentleHalf
                            && here &- wider >= Self.gentleStep && here &- wide <= Self.hardStep
                        if isGentle { soft &+= 1 }
                    }
                }
                x &+= 1
            }
        }
        self.gradient += gradient
        self.laplacian += laplacian
        self.edges += edges
        fullSoft += soft
        fullHard += hard
        count += columns.count
    }

    /// Nil with fewer edges than a line of print has.
    var sharpness: Double? {
        edges < 60 ? nil : (Double(laplacian) / Double(gradient)).squareRoot()
    }

    /// The level below which `share` of the pixels lie.
    func level(_ share: Double) -> Int { level(share, of: count, histogram[...]) }

    private func level(_ share: Double, of count: Int, _ histogram: ArraySlice<Int>) -> Int {
        let wanted = Int(Double(count) * share)
        var sum = 0
        for (level, number) in histogram.enumerated() {
            sum += number
            if sum > wanted { return level }
        }
        return 255
    }

    var glare: Double {
        let unburnt = histogram[..<Int(Self.full)]
        let left = unburnt.reduce(0, +)
        guard fullSoft > fullHard, Double(left) >= Self.leastUnburnt * Double(count),
            level(0.5, of: left, unburnt) < Self.whitePaper
        else { return 0 }
        return Double(count - left) / Double(count)
    }
}
