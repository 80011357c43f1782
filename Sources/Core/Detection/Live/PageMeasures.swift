public import Imaging

/// The quality of a page in a frame: its sharpness and its light.
///
/// Every second pixel of every fourth row inside the page's corners is examined, which takes a
/// fraction of a millisecond for half a million pixels.
public struct PageMeasures: Hashable, Sendable {
    /// The sharpness of edges: about 1 for the sharpest that a picture can hold, less for wider
    /// ones; nil when the page has too few edges.
    ///
    /// It is the root of the Laplacian's energy over the gradient's, where there is an edge. Unlike
    /// the Laplacian's variance, it does not grow with the amount of print, so that an empty page
    /// compares with a full one.
    public var sharpness: Double?
    /// The 90th percentile of the page's levels, 0…255, which is about the level of its paper.
    public var paper: Int
    /// The median of the page's levels, 0…255.
    public var median: Int
    /// The part of the page, 0…1, that a reflection has burnt out: saturated areas with soft edges
    /// on darker paper.
    ///
    /// Below 0.005, it is 0.
    public var glare: Double

    /// The number of rows from one examined row to the next.
    private static let rowStep = 4
    /// A smaller part of a page is too small for a reflection worth finding.
    private static let noGlare = 0.005
}

extension PageMeasures {
    /// Measures the page inside `quad`; nil when it has no pixel of the picture.
    ///
    /// - Parameters:
    ///   - quad: a convex quad in pixels of the picture.
    ///   - luma: a gray8 picture; others are converted first.
    ///   - seeksGlare: false to assume that the page has no reflection.
    public init?(of quad: Quad, in luma: Raster, seeksGlare: Bool = true) {
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
                y += Self.rowStep
            }
        }
        guard sums.count > 0 else { return nil }
        sharpness = sums.sharpness
        paper = sums.level(0.9)
        median = sums.level(0.5)
        // Few pages have saturated pixels; only those pages are examined again.
        glare = seeksGlare && sums.full > Self.noGlare ? BurntArea(of: quad, in: gray).share : 0
    }
}

extension Quad {
    /// The columns of a row that lie inside a convex quad and have neighbors on both sides; nil for
    /// none.
    func columns(ofRow row: Int, width: Int) -> Range<Int>? {
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

/// Sums over the rows of a page.
private struct Sums {
    /// The square of the minimum difference over two pixels that counts as an edge.
    private static let leastEdge: Int32 = 24 * 24
    /// The number of pixels from one examined pixel to the next.
    private static let step = 2
    /// The number of edges in about one line of print.
    private static let leastEdges = 15
    private var gradient = 0
    private var laplacian = 0
    private var edges = 0
    private var histogram = [Int](repeating: 0, count: 256)
    private(set) var count = 0

    mutating func add(_ row: UnsafePointer<UInt8>, stride: Int, _ columns: Range<Int>) {
        var (gradient, laplacian, edges, count) = (0, 0, 0, 0)
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
                count &+= 1
                x &+= Self.step
            }
        }
        self.gradient += gradient
        self.laplacian += laplacian
        self.edges += edges
        self.count += count
    }

    /// The page's sharpness; nil if the page has fewer edges than a line of print.
    var sharpness: Double? {
        edges < Self.leastEdges ? nil : (Double(laplacian) / Double(gradient)).squareRoot()
    }

    /// The level below which `share` of the pixels lie.
    func level(_ share: Double) -> Int {
        let wanted = Int(Double(count) * share)
        var sum = 0
        for (level, number) in histogram.enumerated() {
            sum += number
            if sum > wanted { return level }
        }
        return 255
    }

    /// The part of the pixels, 0…1, at which the sensor is full.
    var full: Double {
        Double(histogram[Int(BurntArea.full)...].reduce(0, +)) / Double(count)
    }
}
