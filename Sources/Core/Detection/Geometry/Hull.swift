import Imaging

/// Convex outlines and the quadrilaterals around them.
enum Hull {
    /// The convex hull of points, clockwise as seen, without points on its sides: Andrew's monotone
    /// chain (1979).
    static func convex(_ points: [Point]) -> [Point] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard sorted.count > 2 else { return sorted }
        func chain(_ points: some Sequence<Point>) -> [Point] {
            var result: [Point] = []
            for point in points {
                while result.count >= 2,
                    turn(result[result.count - 2], result[result.count - 1], point) <= 0
                {
                    result.removeLast()
                }
                result.append(point)
            }
            return result
        }
        return chain(sorted).dropLast() + chain(sorted.reversed()).dropLast()
    }

    /// The four corners that a convex polygon keeps when corners near the line between their
    /// neighbors are left out; nil when no tolerance leaves four.
    ///
    /// Douglas and Peucker, "Algorithms for the reduction of the number of points required to
    /// represent a digitized line" (1973), with growing tolerances from 1 to 10 % of the outline's
    /// length.
    static func quad(of hull: [Point]) -> Quad? {
        guard hull.count >= 4 else { return nil }
        var ends = (from: 0, to: 0, distance: -1.0)
        var length = 0.0
        for i in hull.indices {
            length += hull[i].distance(to: hull[(i + 1) % hull.count])
            for j in i..<hull.count where hull[i].distance(to: hull[j]) > ends.distance {
                ends = (i, j, hull[i].distance(to: hull[j]))
            }
        }
        let closed = hull + hull
        for part in [0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1] {
            let corners =
                simplified(closed[ends.from...ends.to], tolerance: part * length)
                + simplified(
                    closed[ends.to...ends.from + hull.count], tolerance: part * length)
            if corners.count == 4 { return Quad(ordering: corners) }
            if corners.count < 4 { return nil }
        }
        return nil
    }

    /// The points of a line that are needed to describe its shape, without the last one.
    private static func simplified(_ line: ArraySlice<Point>, tolerance: Double) -> [Point] {
        guard let first = line.first, let last = line.last else { return [] }
        let length = first.distance(to: last)
        var most = (index: line.startIndex, distance: tolerance)
        for index in line.indices {
            let distance =
                length > 0
                ? turn(first, last, line[index]).magnitude / length
                : first.distance(to: line[index])
            if distance > most.distance { most = (index, distance) }
        }
        guard most.index != line.startIndex else { return [first] }
        return simplified(line[...most.index], tolerance: tolerance)
            + simplified(line[most.index...], tolerance: tolerance)
    }

    /// A small quadrilateral around a convex polygon.
    ///
    /// Sides are removed one by one until four are left: each time the one whose neighbors, when
    /// extended, add the least area. Nil if that is impossible.
    ///
    /// - Parameter isCut: true for a side that is not a side of the page but the border of what can
    ///   be seen; such sides are removed more easily.
    static func quad(
        about hull: [Point], isCut: (_ from: Point, _ to: Point) -> Bool = { _, _ in false }
    ) -> Quad? {
        var polygon = hull
        guard polygon.count >= 4 else { return nil }
        while polygon.count > 4 {
            var best: (index: Int, corner: Point, area: Double)?
            for i in polygon.indices {
                let n = polygon.count
                let (before, from) = (polygon[(i + n - 1) % n], polygon[i])
                let (to, after) = (polygon[(i + 1) % n], polygon[(i + 2) % n])
                guard let corner = intersection(before, from, c: after, d: to),
                    // The corner must be beyond the side, not behind the polygon.
                    turn(from, to, corner) < 0
                else { continue }
                let area = -turn(from, to, corner) / 2 * (isCut(from, to) ? 0.25 : 1)
                if area < best?.area ?? .infinity { best = (i, corner, area) }
            }
            guard let best else { return nil }
            polygon[best.index] = best.corner
            polygon.remove(at: (best.index + 1) % polygon.count)
        }
        return Quad(ordering: polygon)
    }

    /// The convex quad of four lines, clockwise from the top one; nil where two do not meet.
    static func quad(_ lines: [(Point, Point)]) -> Quad? {
        let corners = (0..<4).compactMap { i in
            let (before, after) = (lines[(i + 3) % 4], lines[i])
            return intersection(before.0, before.1, c: after.0, d: after.1)
        }
        guard corners.count == 4 else { return nil }
        let quad = Quad(
            topLeft: corners[0], topRight: corners[1], bottomRight: corners[2],
            bottomLeft: corners[3])
        return quad.isConvex ? quad : nil
    }

    /// The point where the line through a and b crosses the line through c and d; nil for parallel
    /// lines.
    static func intersection(_ a: Point, _ b: Point, c: Point, d: Point) -> Point? {
        let (ux, uy) = (b.x - a.x, b.y - a.y)
        let (vx, vy) = (d.x - c.x, d.y - c.y)
        let cross = ux * vy - uy * vx
        guard cross.magnitude > 1e-9 * (ux * ux + uy * uy + vx * vx + vy * vy) else { return nil }
        let t = ((c.x - a.x) * vy - (c.y - a.y) * vx) / cross
        return Point(x: a.x + t * ux, y: a.y + t * uy)
    }

    /// Twice the area of a triangle, positive when its corners run clockwise as seen.
    private static func turn(_ a: Point, _ b: Point, _ c: Point) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}
