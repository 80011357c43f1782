extension Quad {
    /// The agreement of two quads, 0…1: the common area divided by the area of both together
    /// (Jaccard index).
    ///
    /// 0 when either is not convex. The shared polygon is found with the clipping of Sutherland and
    /// Hodgman, "Reentrant Polygon Clipping", CACM 17 (1974).
    public func intersectionOverUnion(_ other: Quad) -> Double {
        guard isConvex, other.isConvex else { return 0 }
        let window = other.signedArea < 0 ? Array(other.corners.reversed()) : other.corners
        var polygon = corners
        for i in 0..<4 {
            polygon = Self.clip(polygon, from: window[i], to: window[(i + 1) % 4])
            if polygon.count < 3 { return 0 }
        }
        var twice = 0.0
        for i in polygon.indices {
            twice += polygon[i].cross(polygon[(i + 1) % polygon.count])
        }
        let shared = twice.magnitude / 2
        return min(1, shared / (area + other.area - shared))
    }

    /// The part of a polygon on the inner side of a line.
    private static func clip(_ polygon: [Point], from a: Point, to b: Point) -> [Point] {
        let direction = b - a
        var result: [Point] = []
        for i in polygon.indices {
            let (point, next) = (polygon[i], polygon[(i + 1) % polygon.count])
            let here = direction.cross(point - a)
            let there = direction.cross(next - a)
            if here >= 0 { result.append(point) }
            if (here > 0 && there < 0) || (here < 0 && there > 0) {
                let t = here / (here - there)
                result.append(
                    Point(x: point.x + t * (next.x - point.x), y: point.y + t * (next.y - point.y)))
            }
        }
        return result
    }
}
