/// Finds the places in the source picture from which the pixels of a result are read.
struct BackwardMap {
    private let matrix: [Double]
    private let width: Double
    private let height: Double
    /// The number of pixels in a run: few under perspective, where the true path is curved,
    /// otherwise a whole row.
    private let runLength: Int

    /// A map by a 3×3 matrix, row after row, into a picture of the given size.
    init(_ matrix: [Double], sourceWidth: Int, sourceHeight: Int) {
        self.matrix = matrix
        width = Double(sourceWidth)
        height = Double(sourceHeight)
        runLength = matrix[6] == 0 && matrix[7] == 0 ? .max : 16
    }

    /// Calls `body` with the runs of a row's pixels that are inside the picture, from left to
    /// right.
    @inline(__always)
    func forEachRun(ofRow row: Int, count: Int, _ body: (Run) -> Void) {
        let (start, step) = line(row)
        let inside = span(start, step, count: count)
        var first = inside.lowerBound
        while first < inside.upperBound {
            let length = min(runLength, inside.upperBound - first)
            let last = first + length - 1
            body(
                Run(
                    first: first, count: length, from: place(start, step, first),
                    to: place(start, step, last)))
            first += length
        }
    }

    /// x, y and divisor at the middle of a row's first pixel, and their change from one pixel to
    /// the next.
    private func line(_ row: Int) -> (start: SIMD3<Double>, step: SIMD3<Double>) {
        let m = matrix
        let v = Double(row) + 0.5
        let step = SIMD3(m[0], m[3], m[6])
        let start = SIMD3(m[1] * v + m[2], m[4] * v + m[5], m[7] * v + m[8]) + step * 0.5
        return (start, step)
    }

    /// The pixels of a row that are inside the picture.
    ///
    /// These pixels form a single run, because a line crosses a rectangle only once.
    private func span(_ start: SIMD3<Double>, _ step: SIMD3<Double>, count: Int) -> Range<Int> {
        var first = 0.0
        var last = Double(count - 1)
        // Keeps the pixels u for which a + b × u is at least 0.
        func keep(_ a: Double, _ b: Double) {
            if b > 0 {
                first = max(first, (-a / b).rounded(.up))
            } else if b < 0 {
                last = min(last, (a / -b).rounded(.down))
            } else if !(a >= 0) {
                last = -1
            }
        }
        keep(start.z - 1e-9, step.z)
        keep(start.x, step.x)
        keep(start.y, step.y)
        keep(width * start.z - start.x, width * step.z - step.x)
        keep(height * start.z - start.y, height * step.z - step.y)
        guard first <= last else { return 0..<0 }
        return Int(first)..<Int(last) + 1
    }

    /// The place of pixel `u` in a row, from the middle of the first source pixel, clamped to the
    /// middles of the outer pixels.
    private func place(_ start: SIMD3<Double>, _ step: SIMD3<Double>, _ u: Int) -> Point {
        let here = start + step * Double(u)
        return Point(
            x: max(0, min(here.x / here.z - 0.5, width - 1)),
            y: max(0, min(here.y / here.z - 0.5, height - 1)))
    }
}

/// Neighboring pixels of a result's row whose places in the source are evenly spaced on a line.
///
/// Both ends are inside the source, so all places are. Places are fixed-point numbers with 24
/// fractional bits.
struct Run {
    /// The first pixel in the result's row.
    let first: Int
    /// The number of pixels.
    let count: Int
    /// The column of the first place.
    let x: Int
    let y: Int
    /// The distance of columns from one place to the next.
    let dx: Int
    let dy: Int

    init(first: Int, count: Int, from: Point, to: Point) {
        self.first = first
        self.count = count
        let one = Double(Self.one)
        x = Int(from.x * one)
        y = Int(from.y * one)
        let steps = Double(max(1, count - 1))
        dx = Int((to.x - from.x) / steps * one)
        dy = Int((to.y - from.y) / steps * one)
    }

    /// The width of a pixel.
    static let one = 1 << 24

    /// True when the next place is one pixel to the right, within a sixteenth of a pixel.
    var isAlongRows: Bool {
        abs(dy) < Self.one / 16 && abs(dx - Self.one) < Self.one / 16
    }

    /// The number of places inside this pixel, `step` apart, with the first one at `part` of a
    /// pixel; at least 1.
    static func steps(from part: Int, by step: Int) -> Int {
        if step > 0 { return (one - 1 - part) / step + 1 }
        return step < 0 ? part / -step + 1 : .max
    }
}
