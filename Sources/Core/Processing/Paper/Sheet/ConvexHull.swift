import Imaging

/// The smallest convex outline around some points, and the smallest rectangle around the outline.
struct ConvexHull {
    /// The corners in order.
    let corners: [Point]

    /// Andrew's monotone chain (Information Processing Letters 9, 1979).
    init(_ points: [Point]) {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        func chain(_ points: some Sequence<Point>) -> [Point] {
            var chain: [Point] = []
            for point in points {
                while chain.count >= 2,
                    Self.cross(chain[chain.count - 2], chain[chain.count - 1], point) <= 0
                {
                    chain.removeLast()
                }
                chain.append(point)
            }
            return Array(chain.dropLast())
        }
        corners = sorted.count < 3 ? sorted : chain(sorted) + chain(sorted.reversed())
    }

    private static func cross(_ a: Point, _ b: Point, _ c: Point) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }

    /// The area within the outline.
    var area: Double {
        guard corners.count >= 3 else { return 0 }
        let sum = corners.indices.reduce(0.0) { sum, index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return sum + a.x * b.y - b.x * a.y
        }
        return sum.magnitude / 2
    }

    /// The rectangle of least area that holds all points, with one side along a side of the hull;
    /// nil for a line or a point.
    ///
    /// Its top left corner is the one for which the rectangle leans by at most 45°.
    var smallestRectangle: Quad? {
        guard corners.count >= 3 else { return nil }
        var best: (area: Double, quad: Quad)?
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            var (ux, uy) = (b.x - a.x, b.y - a.y)
            let length = (ux * ux + uy * uy).squareRoot()
            guard length > 0 else { continue }
            (ux, uy) = (ux / length, uy / length)
            // The direction with the smallest tilt counts as horizontal.
            while !(ux >= uy.magnitude) || ux <= 0 { (ux, uy) = (-uy, ux) }
            let across = corners.map { $0.x * ux + $0.y * uy }
            let down = corners.map { -$0.x * uy + $0.y * ux }
            guard let left = across.min(), let right = across.max(), let top = down.min(),
                let bottom = down.max()
            else { continue }
            let area = (right - left) * (bottom - top)
            guard area > 0, area < best?.area ?? .infinity else { continue }
            func corner(_ x: Double, _ y: Double) -> Point {
                Point(x: x * ux - y * uy, y: x * uy + y * ux)
            }
            best = (
                area,
                Quad(
                    topLeft: corner(left, top), topRight: corner(right, top),
                    bottomRight: corner(right, bottom), bottomLeft: corner(left, bottom))
            )
        }
        return best?.quad
    }
}
