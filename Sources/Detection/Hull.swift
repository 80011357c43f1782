import Imaging

/// Convex outlines and the quadrilaterals about them.
enum Hull {
    /// The convex hull of points, clockwise as seen, without points on its sides: Andrew's monotone chain (1979).
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

    /// A small quadrilateral about a convex polygon.
    ///
    /// Sides are taken away one by one, each time that one whose neighbours meet with the least area added, until four are left. Nil
    /// when that cannot be.
    static func quad(about hull: [Point]) -> Quad? {
        var polygon = hull
        guard polygon.count >= 4 else { return nil }
        while polygon.count > 4 {
            var best: (index: Int, corner: Point, area: Double)?
            for i in polygon.indices {
                let n = polygon.count
                let (before, from) = (polygon[(i + n - 1) % n], polygon[i])
                let (to, after) = (polygon[(i + 1) % n], polygon[(i + 2) % n])
                guard let corner = intersection(before, from, after, to),
                    // The corner must lie beyond the side, not behind the polygon.
                    turn(from, to, corner) < 0
                else { continue }
                let area = -turn(from, to, corner) / 2
                if area < best?.area ?? .infinity { best = (i, corner, area) }
            }
            guard let best else { return nil }
            polygon[best.index] = best.corner
            polygon.remove(at: (best.index + 1) % polygon.count)
        }
        return Quad(ordering: polygon)
    }

    /// Where the line through a and b crosses that through c and d; nil when they are parallel.
    static func intersection(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Point? {
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
