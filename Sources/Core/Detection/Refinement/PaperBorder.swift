import Imaging

/// The border that runs around the print of trading cards, playing cards and photographs.
///
/// The step from border to print is often stronger than the one from border to desk, so a side
/// moves to the wrong one. The network's rough sides show which strip of one brightness belongs to
/// the paper: they are inside a strip that is the paper's border, but on the paper's edge if the
/// strip is an object beneath it.
struct PaperBorder {
    let frame: FrameView

    /// The widest border, in parts of the quad's shorter side.
    private static let widest = 0.1
    /// The narrowest border, in parts of the same side: losing a narrower one does no harm.
    private static let narrowest = 0.015
    /// The places along a side; there are none near the corners, which may be round.
    private static let places = 32
    private static let margin = 0.15
    /// The probes on each side of a side, up to the widest border.
    private static let probes = 32
    /// The minimum step of brightness at an edge in levels, and the part of the places that must
    /// have it.
    private static let leastStep: Float = 6
    private static let leastSupport = 0.6
    /// The maximum that the strip's brightness may change across it, and from side to side, in
    /// levels.
    private static let evenness: Float = 12
    private static let likeness: Float = 36
    /// The minimum difference in brightness between the strip and the print at its edge, in levels:
    /// another sheet in a stack is as bright as the page on it.
    private static let contrast: Float = 16
    /// The factor by which a side's strip may be wider or narrower than the median strip.
    private static let proportion = 2.5
    /// The mean distance of the rough sides from the strip's edge, inside the strip, as a fraction
    /// of its width.
    private static let leastClaim = 0.02
    /// The distance from the strip's outer edge within which its exact place is searched for, in
    /// parts of the strip's width.
    static let reach = 0.4

    /// A strip along one side.
    private struct Strip {
        /// The distances of the strip's outer edge outside the side, and of its inner edge inside
        /// it, in pixels; one of both is 0.
        var outer: Double
        var inner: Double
        var level: Float
        var width: Double { outer + inner }
    }

    /// A quad on the border's outer edge, and the border's width in pixels; nil when there is no
    /// border, or the quad is already on its outer edge.
    ///
    /// - Parameters:
    ///   - quad: sides on steps of brightness.
    ///   - rough: the sides according to the network.
    func found(around quad: Quad, rough: Quad) -> (quad: Quad, width: Double)? {
        guard let shortest = quad.sides.min(), shortest >= 60 else { return nil }
        let step = shortest * Self.widest / Double(Self.probes)
        var strips: [Strip] = []
        var claim = 0.0
        for side in 0..<4 {
            guard let strip = strip(along: side, of: quad, step) else { return nil }
            strips.append(strip)
            claim +=
                (strip.inner + Self.outwardShift(of: side, from: quad, to: rough)) / strip.width
        }
        let levels = strips.map(\.level)
        let widths = strips.map(\.width).sorted()
        let middle = (widths[1] + widths[2]) / 2
        guard strips.contains(where: { $0.outer > 0 }), claim / 4 >= Self.leastClaim,
            levels.max()! - levels.min()! <= Self.likeness,
            widths[0] * Self.proportion >= middle, widths[3] <= Self.proportion * middle,
            let outer = Self.moved(quad, outward: strips.map(\.outer))
        else { return nil }
        return (outer, middle)
    }

    /// The strip along a side, outside or, if there is none, inside; nil when there is neither.
    private func strip(along side: Int, of quad: Quad, _ step: Double) -> Strip? {
        let corners = quad.corners
        let (a, b) = (corners[side], corners[(side + 1) % 4])
        let length = a.distance(to: b)
        let normal = Point(x: -(b.y - a.y) / length, y: (b.x - a.x) / length)
        let count = 2 * Self.probes + 1
        var rows: [[Float]] = []
        for place in 0..<Self.places {
            let part = Self.margin + (1 - 2 * Self.margin) * Double(place) / Double(Self.places - 1)
            let foot = Point(x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y))
            guard foot.x > 0, foot.y > 0, foot.x < Double(frame.width),
                foot.y < Double(frame.height)
            else { continue }
            rows.append(
                (0..<count).map { i in
                    let across = Double(i - Self.probes) * step
                    return frame.level(foot.x + across * normal.x, foot.y + across * normal.y)
                })
        }
        guard 2 * rows.count >= Self.places else { return nil }
        let profile = BorderProfile(
            rows: rows, leastStep: Self.leastStep, leastSupport: Self.leastSupport)
        let narrowest = max(
            2, Int((Self.narrowest * Double(Self.probes) / Self.widest).rounded(.up)))
        if let edge = profile.edge(from: Self.probes, toward: -1, beyond: narrowest),
            let level = profile.level(between: edge, Self.probes, evenness: Self.evenness),
            (profile.level(within: Self.probes) - level).magnitude >= Self.contrast
        {
            return Strip(outer: Double(Self.probes - edge) * step, inner: 0, level: level)
        }
        if let edge = profile.edge(from: Self.probes, toward: 1, beyond: narrowest),
            let level = profile.level(between: Self.probes, edge, evenness: Self.evenness),
            (profile.level(within: edge) - level).magnitude >= Self.contrast
        {
            return Strip(outer: 0, inner: Double(edge - Self.probes) * step, level: level)
        }
        return nil
    }

    /// The distance by which a side of another quad is outside the same side of this one, at its
    /// middle, in pixels.
    private static func outwardShift(of side: Int, from quad: Quad, to other: Quad) -> Double {
        let (a, b) = (quad.corners[side], quad.corners[(side + 1) % 4])
        let (c, d) = (other.corners[side], other.corners[(side + 1) % 4])
        let middle = Point(x: (c.x + d.x) / 2, y: (c.y + d.y) / 2)
        return ((middle.x - a.x) * (b.y - a.y) - (middle.y - a.y) * (b.x - a.x)) / a.distance(to: b)
    }

    /// The quad with each side moved outward in parallel; nil when its sides don't meet.
    private static func moved(_ quad: Quad, outward: [Double]) -> Quad? {
        let corners = quad.corners
        let lines = (0..<4).map { i -> (Point, Point) in
            let (a, b) = (corners[i], corners[(i + 1) % 4])
            let by = outward[i] / a.distance(to: b)
            let shift = Point(x: (b.y - a.y) * by, y: -(b.x - a.x) * by)
            return (
                Point(x: a.x + shift.x, y: a.y + shift.y), Point(x: b.x + shift.x, y: b.y + shift.y)
            )
        }
        return Hull.quad(lines)
    }
}
