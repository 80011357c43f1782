extension Quad {
    /// The quad of four corners given in any order; nil when they form no convex quadrilateral.
    ///
    /// The corners are put clockwise as seen, and the one with the least x + y comes first, as the
    /// top left. A page turned by about 45° has no corner that is clearly its top left; either
    /// neighbor may be chosen then.
    public init?(ordering points: [Point]) {
        guard points.count == 4, points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
            return nil
        }
        let sum = points.reduce(Point(x: 0, y: 0)) { Point(x: $0.x + $1.x, y: $0.y + $1.y) }
        let center = Point(x: sum.x / 4, y: sum.y / 4)
        func angle(_ point: Point) -> Double {
            Trigonometry.degrees(y: point.y - center.y, x: point.x - center.x)
        }
        // Rows grow downward, so growing angles run clockwise.
        let ring = points.sorted { angle($0) < angle($1) }
        let first = ring.indices.min { ring[$0].x + ring[$0].y < ring[$1].x + ring[$1].y }!
        let quad = Quad(
            topLeft: ring[first], topRight: ring[(first + 1) % 4],
            bottomRight: ring[(first + 2) % 4], bottomLeft: ring[(first + 3) % 4])
        guard quad.isConvex else { return nil }
        self = quad
    }
}
