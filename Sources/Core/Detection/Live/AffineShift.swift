import Imaging

/// How the contents of a square grid have moved: shifted, turned and stretched, the same
/// everywhere.
struct AffineShift {
    /// Cells to the right, and by how many more from one column and from one row to the next, about
    /// the grid's middle.
    var across: SIMD3<Double>
    /// The same downwards.
    var down: SIMD3<Double>

    /// Where a place of the grid is, both in cells from its upper left corner.
    func place(of point: Point, side: Int) -> Point {
        let middle = Double(side) / 2
        let terms = SIMD3(1, point.x - middle, point.y - middle)
        return Point(x: point.x + (across * terms).sum(), y: point.y + (down * terms).sum())
    }
}
