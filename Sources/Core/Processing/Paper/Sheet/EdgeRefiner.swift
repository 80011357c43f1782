import Imaging

/// Moves a quad's sides to the places where the level is halfway between lid and paper, to a
/// fraction of a pixel.
struct EdgeRefiner {
    let gray: LevelMap
    /// The steps of the quad's sides, clockwise from the top; a side without a step stays where it
    /// is.
    let sides: [Step?]

    /// The levels on either side of an edge.
    struct Step {
        var lid: Int
        var paper: Int
    }

    /// The refined quad; a side with too few clear places, such as one at the picture's border,
    /// stays where it was.
    ///
    /// - Parameter reach: the distance from the side, in pixels of `gray`, within which an edge is
    ///   looked for.
    func refined(_ quad: Quad, reach: Double) -> Quad {
        let corners = quad.corners
        let center = quad.center
        let lines = (0..<4).map { index -> Line in
            let (a, b) = (corners[index], corners[(index + 1) % 4])
            return sides[index].flatMap { moved(a, b, $0, inward: center, reach: reach) }
                ?? Line(through: a, b)
        }
        let points = (0..<4).compactMap { lines[($0 + 3) % 4].meeting(lines[$0]) }
        guard points.count == 4 else { return quad }
        let refined = Quad(
            topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
        let isNear = zip(points, corners).allSatisfy { $0.distance(to: $1) <= 3 * reach }
        return refined.isConvex && isNear ? refined : quad
    }

    private func moved(
        _ a: Point, _ b: Point, _ step: Step, inward center: Point, reach: Double
    ) -> Line? {
        let (lid, paper) = (step.lid, step.paper)
        let length = a.distance(to: b)
        guard length > 20 else { return nil }
        var normal = Point(x: -(b.y - a.y) / length, y: (b.x - a.x) / length)
        if (center.x - a.x) * normal.x + (center.y - a.y) * normal.y < 0 {
            normal = Point(x: -normal.x, y: -normal.y)
        }
        let middle = Double(lid + paper) / 2
        let sign = paper > lid ? 1.0 : -1.0
        var samples: [EdgeLine.Sample] = []
        let spacing = max(1, length / 200)
        for along in stride(from: 0.03 * length, to: 0.97 * length, by: spacing) {
            let foot = a.toward(b, along / length)
            // The edge is the first place, inward from the lid, where the level crosses the
            // middle.
            var before: Double?
            for distance in stride(from: -reach, through: reach, by: 0.5) {
                let place = Point(x: foot.x + normal.x * distance, y: foot.y + normal.y * distance)
                guard let level = gray.level(at: place) else {
                    before = nil
                    continue
                }
                let excess = (level - middle) * sign
                if let before, before < 0, excess >= 0 {
                    let share = before / (before - excess)
                    samples.append(
                        EdgeLine.Sample(along: along, across: distance - 0.5 + 0.5 * share))
                    break
                }
                before = excess
            }
        }
        guard Double(samples.count) >= 0.4 * 0.94 * length / spacing,
            let line = EdgeLine.fitted(to: samples, tolerance: 1, steepest: 0.1)
        else { return nil }
        func point(_ along: Double) -> Point {
            let foot = a.toward(b, along / length)
            let distance = line.across(at: along)
            return Point(x: foot.x + normal.x * distance, y: foot.y + normal.y * distance)
        }
        return Line(through: point(0), point(length))
    }
}

/// A line through two points.
private struct Line {
    let a: Point
    let b: Point

    init(through a: Point, _ b: Point) {
        self.a = a
        self.b = b
    }

    func meeting(_ other: Line) -> Point? {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let (ex, ey) = (other.b.x - other.a.x, other.b.y - other.a.y)
        let cross = dx * ey - dy * ex
        guard cross.magnitude > 1e-9 else { return nil }
        let share = ((other.a.x - a.x) * ey - (other.a.y - a.y) * ex) / cross
        return Point(x: a.x + dx * share, y: a.y + dy * share)
    }
}
