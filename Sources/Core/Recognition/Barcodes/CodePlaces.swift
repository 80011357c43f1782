import Glibc
import Imaging

/// A place on a page with many edges and paper around it, where a code may be.
struct CodePlace {
    /// The middle of the place, in pixels of the page.
    var center: Point
    /// The length along `degrees`, including paper at both ends.
    var width: Double
    /// The length across `degrees`, including paper at both ends.
    var height: Double
    /// The direction across its bars, or along the rows of its fields; positive is clockwise as
    /// seen.
    var degrees: Double
    /// True for bars, whose edges all have the same direction.
    var isBars: Bool

    /// The corners on the page, clockwise from the top left one after the place is turned upright.
    var corners: Quad {
        let (sine, cosine) = Self.direction(degrees)
        func corner(_ across: Double, _ down: Double) -> Point {
            Point(
                x: center.x + cosine * across * width / 2 - sine * down * height / 2,
                y: center.y + sine * across * width / 2 + cosine * down * height / 2)
        }
        return Quad(
            topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
            bottomLeft: corner(-1, 1))
    }

    /// True if a point of the page is within the place.
    func contains(_ point: Point) -> Bool {
        let (sine, cosine) = Self.direction(degrees)
        let (x, y) = (point.x - center.x, point.y - center.y)
        return (cosine * x + sine * y).magnitude * 2 <= width
            && (cosine * y - sine * x).magnitude * 2 <= height
    }

    /// True if another place is almost the same: nearly as large, and around the same point.
    func repeats(_ other: CodePlace) -> Bool {
        other.contains(center) && other.width * other.height * 1.4 >= width * height
    }

    static func direction(_ degrees: Double) -> (sine: Double, cosine: Double) {
        (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    }
}

/// Finds the places on a page where codes may be, and their directions.
///
/// The page is cut into small squares; touching squares with edges make a place. The structure
/// tensor of its edges gives the direction (Bigün and Granlund, ICCV 1987): angles are multiplied
/// by two for bars, whose edges all have one direction, and by four for fields, whose edges have
/// two.
struct CodePlaces {
    /// The minimum strength of a code's edges; grain, paper and JPEG's rings around print are
    /// weaker.
    static let plain = 150.0
    /// The minimum strength of the faintest readable code's edges, if the paper is weaker.
    static let faint = 8.0

    /// The longer side, in pixels, of the picture that is searched; a larger picture is reduced.
    private static let longSide = 1760
    /// The side of a square in pixels.
    private static let cell = 8
    /// The minimum number of squares along a side of a place: print of usual sizes is less tall.
    private static let leastSide = 4
    /// The maximum number of squares between two bars of one code.
    private static let gap = 2
    /// The maximum number of places that are returned, beginning with those with the most edges.
    private static let most = 6
    /// The minimum fraction of bars' edges that have the same direction; print and fields have at
    /// most half of it.
    private static let leastCoherence = 0.5

    /// The edges in one or more squares, as sums over the pixels' gradients (x, y).
    private struct Edges {
        /// The sum of the gradients' squares.
        var strength = 0.0
        /// The sum of the gradients' squares as complex numbers whose argument is twice the
        /// direction.
        var twice = (x: 0.0, y: 0.0)
        /// The sum of the squares with four times the direction as the argument.
        var fourTimes = (x: 0.0, y: 0.0)

        static func + (a: Edges, b: Edges) -> Edges {
            Edges(
                strength: a.strength + b.strength,
                twice: (a.twice.x + b.twice.x, a.twice.y + b.twice.y),
                fourTimes: (a.fourTimes.x + b.fourTimes.x, a.fourTimes.y + b.fourTimes.y))
        }

        func divided(by count: Double) -> Edges {
            Edges(
                strength: strength / count, twice: (twice.x / count, twice.y / count),
                fourTimes: (fourTimes.x / count, fourTimes.y / count))
        }
    }

    private let columns: Int
    private let rows: Int
    /// Pixels of the page for one pixel of the searched picture.
    private let scale: Double
    private let cells: [Edges]
    /// The strength of the edges in the page's emptiest squares, which is the paper's grain.
    private let grain: Double

    init(of gray: Raster) {
        let small = gray.thumbnail(longSide: Self.longSide)
        scale = Double(gray.width) / Double(small.width)
        (columns, rows) = (small.width / Self.cell, small.height / Self.cell)
        cells = Self.edges(small, columns, rows)
        grain = cells.isEmpty ? 0 : cells.map(\.strength).sorted()[cells.count / 5]
    }

    /// The places whose edges are at least this strong, and clearly stronger than the paper's
    /// grain; those with the most edges come first.
    func all(over strength: Double) -> [CodePlace] {
        let least = max(strength, 3 * grain)
        let marks = cells.map { $0.strength >= least }
        var places: [(place: CodePlace, strength: Double)] = []
        for (marks, isBars) in [(marks, false), (bridged(marks), true)] {
            for group in groups(marks) where group.count >= Self.leastSide * Self.leastSide {
                let edges = group.reduce(Edges()) { $0 + cells[$1] }
                guard let place = place(of: group, edges), place.isBars == isBars else { continue }
                places.append((place, edges.strength / Double(group.count)))
            }
        }
        return places.sorted { $0.strength > $1.strength }.prefix(Self.most).map(\.place)
    }

    private func place(of group: [Int], _ edges: Edges) -> CodePlace? {
        let twice = edges.twice
        let isBars = hypot(twice.x, twice.y) > Self.leastCoherence * edges.strength
        let radians =
            isBars ? atan2(twice.y, twice.x) / 2 : atan2(edges.fourTimes.y, edges.fourTimes.x) / 4
        let (sine, cosine) = (sin(radians), cos(radians))
        var (left, right) = (Double.infinity, -Double.infinity)
        var (top, bottom) = (left, right)
        for index in group {
            let x = Double(index % columns) + 0.5
            let y = Double(index / columns) + 0.5
            let (across, down) = (cosine * x + sine * y, cosine * y - sine * x)
            (left, right) = (min(left, across), max(right, across))
            (top, bottom) = (min(top, down), max(bottom, down))
        }
        let (wide, high) = (right - left + 1, bottom - top + 1)
        // Fields fill their place; bars may have wide gaps.
        guard min(wide, high) >= Double(Self.leastSide),
            Double(group.count) >= wide * high * (isBars ? 0.4 : 0.6)
        else { return nil }
        // Data Matrix may be four times as wide as it is tall. A place with more than a third of
        // the page is print and not a small code of fields.
        guard
            isBars
                || max(wide, high) <= 4 * min(wide, high)
                    && max(wide, high) * 3 <= Double(max(columns, rows))
        else { return nil }
        let unit = Double(Self.cell) * scale
        let margin = max(2, max(wide, high) / 8)
        let (x, y) = ((left + right) / 2, (top + bottom) / 2)
        return CodePlace(
            center: Point(x: (cosine * x - sine * y) * unit, y: (sine * x + cosine * y) * unit),
            width: (wide + 2 * margin) * unit, height: (high + 2 * margin) * unit,
            degrees: radians * 180 / .pi, isBars: isBars)
    }

    /// The sum of the weights in Scharr's filter, whose gradients have the right direction at any
    /// slant (Jähne, Scharr and Körkel, 1999).
    private static let weight = 16

    /// The mean edges of each square, row after row.
    private static func edges(_ gray: Raster, _ columns: Int, _ rows: Int) -> [Edges] {
        var result: [Edges] = []
        result.reserveCapacity(columns * rows)
        gray.withBytes { bytes in
            for row in 0..<rows {
                for column in 0..<columns {
                    var sum = Edges()
                    for y in max(1, row * cell)..<min(gray.height - 1, (row + 1) * cell) {
                        let start = y &* gray.stride
                        for x in max(1, column * cell)..<min(gray.width - 1, (column + 1) * cell) {
                            let at = start &+ x
                            let (above, below) = (at &- gray.stride, at &+ gray.stride)
                            let falling = Int(bytes[below &+ 1]) &- Int(bytes[above &- 1])
                            let rising = Int(bytes[above &+ 1]) &- Int(bytes[below &- 1])
                            let across = Int(bytes[at &+ 1]) &- Int(bytes[at &- 1])
                            let down = Int(bytes[below]) &- Int(bytes[above])
                            let dx = 10 &* across &+ 3 &* (falling &+ rising)
                            let dy = 10 &* down &+ 3 &* (falling &- rising)
                            guard dx | dy != 0 else { continue }
                            let strength = Double(dx &* dx &+ dy &* dy)
                            let real = Double(dx &* dx &- dy &* dy)
                            let imaginary = Double(2 &* dx &* dy)
                            sum.strength += strength
                            sum.twice.x += real
                            sum.twice.y += imaginary
                            sum.fourTimes.x += (real * real - imaginary * imaginary) / strength
                            sum.fourTimes.y += 2 * real * imaginary / strength
                        }
                    }
                    result.append(sum.divided(by: Double(cell * cell * weight * weight)))
                }
            }
        }
        return result
    }

    /// Fills narrow gaps in rows and columns of marks: between two bars with a wide gap, a strip
    /// has no edges.
    private func bridged(_ marks: [Bool]) -> [Bool] {
        var result = marks
        func bridge(from start: Int, by step: Int, count: Int) {
            var last: Int?
            for number in 0..<count where marks[start + number * step] {
                if let last, number - last - 1 <= Self.gap {
                    for between in last..<number { result[start + between * step] = true }
                }
                last = number
            }
        }
        for row in 0..<rows { bridge(from: row * columns, by: 1, count: columns) }
        for column in 0..<columns { bridge(from: column, by: columns, count: rows) }
        return result
    }

    /// The connected marked squares, as indices.
    private func groups(_ marks: [Bool]) -> [[Int]] {
        guard columns > 0, rows > 0 else { return [] }
        var picture = Raster(width: columns, height: rows, format: .bilevel)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for (index, isMarked) in marks.enumerated() where isMarked {
                let x = index % columns
                bytes[index / columns * stride + x / 8] |= 0x80 >> UInt8(x % 8)
            }
        }
        let patches = InkComponents(of: picture)
        return patches.components.map { patch in
            patches.runs[patch.runs].flatMap { run in
                (run.start..<run.end).map { run.y * columns + $0 }
            }
        }
    }
}
