import Imaging

/// A bright region of the map and the quadrilateral about it.
struct PaperRegion {
    /// Corners in pixels of the map.
    let quad: Quad
    /// The part of the quadrilateral that the region, with its holes, covers: 0…1.
    let fullness: Double
}

/// Cuts the map at several levels and looks for the region that is most nearly a quadrilateral.
struct RegionFinder {
    private let map: PaperMap

    /// A quadrilateral must be filled at least this far.
    private static let leastFullness = 0.88
    /// The longest part of the picture's edge that a region may touch; a page that fills the frame, or a bright table, touches more.
    private static let mostContact = 0.2

    /// A region ends where brightness changes by more than this from one place to the next: the last cuts only by level, the first at
    /// the faint edge of white paper on a white table.
    private static let steepest: [UInt8] = [3, 6, 12, 255]

    init(_ map: PaperMap) { self.map = map }

    /// The regions of at least `minimumPixels` that come near a quadrilateral, the fullest first.
    func regions(minimumPixels: Int) -> [PaperRegion] {
        var found: [PaperRegion] = []
        for level in map.levels(12) {
            for limit in Self.steepest {
                found += regions(above: level, upTo: limit, minimumPixels: minimumPixels)
            }
        }
        return found.filter { $0.fullness >= Self.leastFullness }.sorted {
            $0.fullness > $1.fullness
        }
    }

    /// The connected regions brighter than a level that are large enough and touch little of the picture's edge.
    private func regions(
        above level: UInt8, upTo steepest: UInt8, minimumPixels: Int
    ) -> [PaperRegion] {
        var labels = map.mask(above: level, upTo: steepest)
        let (width, height) = (map.width, map.height)
        var found: [PaperRegion] = []
        var extents = RowExtents(height: height)
        var stack: [Int] = []
        labels.withUnsafeMutableBufferPointer { labels in
            for seed in labels.indices where labels[seed] == 1 {
                extents.reset()
                stack.append(seed)
                labels[seed] = 2
                var count = 0
                var contact = 0
                while let here = stack.popLast() {
                    count &+= 1
                    let y = here / width
                    let x = here &- y &* width
                    extents.add(x, y)
                    if x == 0 || y == 0 || x == width - 1 || y == height - 1 { contact &+= 1 }
                    if x > 0, labels[here &- 1] == 1 {
                        labels[here &- 1] = 2
                        stack.append(here &- 1)
                    }
                    if x < width &- 1, labels[here &+ 1] == 1 {
                        labels[here &+ 1] = 2
                        stack.append(here &+ 1)
                    }
                    if y > 0, labels[here &- width] == 1 {
                        labels[here &- width] = 2
                        stack.append(here &- width)
                    }
                    if y < height &- 1, labels[here &+ width] == 1 {
                        labels[here &+ width] = 2
                        stack.append(here &+ width)
                    }
                }
                guard count >= minimumPixels / 2,
                    Double(contact) <= Self.mostContact * Double(2 * (width + height)),
                    extents.filledArea >= minimumPixels,
                    let quad = Hull.quad(about: Hull.convex(extents.outline)), quad.area > 0
                else { continue }
                found.append(
                    PaperRegion(quad: quad, fullness: Double(extents.filledArea) / quad.area))
            }
        }
        return found
    }
}

/// The leftmost and rightmost pixel of a region in each row: all that its hull needs.
private struct RowExtents {
    private var left: [Int]
    private var right: [Int]
    /// The rows that the region reaches, so that a small one costs little.
    private var top = Int.max
    private var bottom = Int.min

    init(height: Int) {
        left = Array(repeating: .max, count: height)
        right = Array(repeating: .min, count: height)
    }

    mutating func reset() {
        for y in rows {
            left[y] = .max
            right[y] = .min
        }
        top = .max
        bottom = .min
    }

    mutating func add(_ x: Int, _ y: Int) {
        left[y] = min(left[y], x)
        right[y] = max(right[y], x)
        top = min(top, y)
        bottom = max(bottom, y)
    }

    /// A connected region misses no row between its first and its last.
    private var rows: Range<Int> { top <= bottom ? top..<bottom + 1 : 0..<0 }

    /// Pixels between the outer ones of each row: the region with letters and other holes filled.
    var filledArea: Int {
        rows.reduce(0) { $0 + right[$1] - left[$1] + 1 }
    }

    /// The corners of the outer pixels.
    var outline: [Point] {
        rows.flatMap { y -> [Point] in
            let (west, east) = (Double(left[y]), Double(right[y] + 1))
            return [y, y + 1].flatMap { edge in
                [Point(x: west, y: Double(edge)), Point(x: east, y: Double(edge))]
            }
        }
    }
}
