import Imaging

/// The edges of brightness along the sides of a quad, to a fraction of a pixel.
///
/// Brightness is sampled across each side, at many places along it. Every straight line near the
/// side gets votes from the steps on it (a Hough transform with two offsets). The best line is
/// fitted by weighted least squares, and neighboring lines are intersected.
struct SideEdges {
    let frame: FrameView
    /// The distance from a side within which its edge is searched for, in pixels.
    let reach: Double
    /// The number of probes before and after the middle one, on a line across a side; they are at
    /// least a pixel apart.
    var probes = 12
    /// The part of a side's visible places that must have a step.
    var leastSupport = 0.5

    /// Places along a side.
    private static let places = 64
    /// The maximum number of levels for which a step counts, so that print, which has the strongest
    /// steps, does not decide.
    private static let mostStep: Float = 24
    /// The fraction by which a line at the end of the reach counts less, 0…1.
    private static let prior: Float = 0.35
    /// The minimum difference that counts as a step, in levels.
    private static let leastStep: Float = 4
    /// The part of a side's places that must be visible.
    private static let leastInView = 0.4
    /// The shortest side, in pixels, along which edges are looked for.
    private static let leastLength = 40.0

    private var offsets: Int { 2 * probes + 1 }

    /// The lines near the four sides, the top one first, on which the most places have an edge.
    ///
    /// A line is nil if too few places have one; there are none for a quad with a very short side.
    func lines(near quad: Quad) -> [(Point, Point)?] {
        let corners = quad.corners
        guard quad.sides.allSatisfy({ $0 >= Self.leastLength }) else {
            return [nil, nil, nil, nil]
        }
        return (0..<4).map { line(from: corners[$0], to: corners[($0 + 1) % 4]) }
    }

    /// The corners if all four sides are on edges; otherwise nil.
    func quad(near quad: Quad) -> Quad? {
        let lines = lines(near: quad).compactMap(\.self)
        return lines.count == 4 ? crossed(lines, near: quad) : nil
    }

    /// The quad that four lines form; a corner that would move far away stays.
    func crossed(_ lines: [(Point, Point)], near quad: Quad) -> Quad {
        let corners = quad.corners
        let moved = (0..<4).map { i -> Point in
            let (before, after) = (lines[(i + 3) % 4], lines[i])
            guard let crossing = Hull.intersection(before.0, before.1, c: after.0, d: after.1),
                crossing.distance(to: corners[i]) < 3 * reach
            else { return corners[i] }
            return crossing
        }
        let result = Quad(
            topLeft: moved[0], topRight: moved[1], bottomRight: moved[2], bottomLeft: moved[3])
        return result.isConvex ? result : quad
    }

    private func line(from a: Point, to b: Point) -> (Point, Point)? {
        let length = a.distance(to: b)
        let step = max(1, reach / Double(probes))
        let along = Point(x: (b.x - a.x) / length, y: (b.y - a.y) / length)
        let normal = Point(x: -along.y, y: along.x)
        let count = Self.places * offsets
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { rises in
            var inView = [Bool](repeating: false, count: Self.places)
            for place in 0..<Self.places {
                let part = Self.part(place)
                let foot = Point(x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y))
                let row = UnsafeMutableBufferPointer(
                    rebasing: rises[place * offsets..<(place + 1) * offsets])
                inView[place] =
                    foot.x > 2 && foot.y > 2 && foot.x < Double(frame.width - 3)
                    && foot.y < Double(frame.height - 3)
                if inView[place] {
                    sample(
                        foot, along: along, normal: normal, step: step, blur: 0.004 * length,
                        into: row)
                } else {
                    row.update(repeating: 0)
                }
            }
            let seen = inView.count { $0 }
            guard Double(seen) >= Self.leastInView * Double(Self.places),
                let line = EdgeVote(
                    rises: UnsafeBufferPointer(rises), offsets: offsets, places: Self.places,
                    part: Self.part, mostStep: Self.mostStep, prior: Self.prior
                ).line(inView: inView, leastStep: Self.leastStep, leastSupport: leastSupport)
            else { return nil }
            func moved(_ point: Point, _ probe: Double) -> Point {
                let by = (probe - Double(probes)) * step
                return Point(x: point.x + by * normal.x, y: point.y + by * normal.y)
            }
            return (moved(a, line.start), moved(b, line.end))
        }
    }

    /// The position of a place along the side, 0…1.
    private static func part(_ place: Int) -> Double {
        0.05 + 0.9 * Double(place) / Double(places - 1)
    }

    /// The rise of brightness at each probe across the side, inward, smoothed slightly along the
    /// side.
    private func sample(
        _ foot: Point, along: Point, normal: Point, step: Double, blur: Double,
        into rises: UnsafeMutableBufferPointer<Float>
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: offsets + 2) { levels in
            for i in 0..<offsets + 2 {
                let across = Double(i - probes - 1) * step
                let (x, y) = (foot.x + across * normal.x, foot.y + across * normal.y)
                levels[i] =
                    frame.level(x - blur * along.x, y - blur * along.y) + frame.level(x, y)
                    + frame.level(x + blur * along.x, y + blur * along.y)
            }
            for i in 0..<offsets { rises[i] = (levels[i + 2] - levels[i]) / 3 }
        }
    }
}
