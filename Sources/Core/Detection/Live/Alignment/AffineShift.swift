import Imaging

/// A movement of a square grid's contents: a shift, turn and stretch, the same for all of the grid.
struct AffineShift {
    /// The shift to the right in cells, its growth from one column to the next, and its growth from
    /// one row to the next, relative to the grid's middle.
    var across: SIMD3<Double>
    /// The same numbers for the shift downward.
    var down: SIMD3<Double>

    /// The place to which a point of the grid moves; both in cells from the grid's upper left
    /// corner.
    func place(of point: Point, side: Int) -> Point {
        let middle = Double(side) / 2
        let terms = SIMD3(1, point.x - middle, point.y - middle)
        return Point(x: point.x + (across * terms).sum(), y: point.y + (down * terms).sum())
    }
}
