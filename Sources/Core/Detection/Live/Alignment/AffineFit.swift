/// Aligns two square grids whose contents differ by a few cells, to a fraction of a cell, using the
/// slopes of all cells.
///
/// Each step is a Gauss-Newton step, with a matrix that depends only on the old grid: the inverse
/// compositional algorithm of Baker and Matthews, "Lucas-Kanade 20 Years On" (2004).
struct AffineFit {
    private let old: CellGrid
    /// The number of cells at each side that are left out, because the page's surroundings affect
    /// them.
    private let rim: Int
    /// The inverse of a 6 × 6 matrix: the sums of products of a cell's derivatives with respect to
    /// the six numbers of a shift.
    private let inverse: [[Double]]

    /// Differences are limited to this, so that objects on the page, or new writing, have little
    /// effect.
    private static let most: Float = 0.15
    /// The numbers in a shift.
    private static let terms = 6

    /// Returns nil if the grid has too little content to be aligned.
    init?(of old: CellGrid, rim: Int) {
        (self.old, self.rim) = (old, rim)
        var sums = [[Double]](
            repeating: [Double](repeating: 0, count: Self.terms), count: Self.terms)
        Self.forEachCell(of: old, rim: rim) { _, changes in
            for row in 0..<Self.terms {
                for column in row..<Self.terms {
                    sums[row][column] += Double(changes[row] * changes[column])
                }
            }
        }
        for row in 0..<Self.terms {
            for column in 0..<row { sums[row][column] = sums[column][row] }
        }
        guard let inverse = Self.inverse(of: sums) else { return nil }
        self.inverse = inverse
    }

    /// The movement of the contents in a new grid, as far as one step shows it, and the present
    /// correlation of both grids, −1…1.
    func step(to new: CellGrid) -> (shift: AffineShift, likeness: Float) {
        var sums = SIMD8<Float>.zero
        var (product, energy, other): (Float, Float, Float) = (0, 0, 0)
        Self.forEachCell(of: old, rim: rim) { place, changes in
            let (before, now) = (old.cells[place], new.cells[place])
            sums += changes * max(-Self.most, min(Self.most, now - before))
            product += before * now
            energy += before * before
            other += now * now
        }
        let shift = inverse.map { row in
            -row.indices.reduce(0) { $0 + row[$1] * Double(sums[$1]) }
        }
        return (
            AffineShift(
                across: SIMD3(shift[0], shift[1], shift[2]),
                down: SIMD3(shift[3], shift[4], shift[5])),
            product / max(energy * other, .leastNormalMagnitude).squareRoot()
        )
    }

    /// Visits each inner cell with its derivatives with respect to the six numbers.
    private static func forEachCell(
        of grid: CellGrid, rim: Int, _ body: (Int, SIMD8<Float>) -> Void
    ) {
        let (side, middle) = (grid.side, Float(grid.side) / 2)
        for y in rim..<side - rim {
            let v = Float(y) + 0.5 - middle
            for x in rim..<side - rim {
                let (place, u) = (y &* side &+ x, Float(x) + 0.5 - middle)
                let across = (grid.cells[place &+ 1] - grid.cells[place &- 1]) / 2
                let down = (grid.cells[place &+ side] - grid.cells[place &- side]) / 2
                body(place, SIMD8(across, across * u, across * v, down, down * u, down * v, 0, 0))
            }
        }
    }

    /// The inverse of a symmetric, positive definite matrix by elimination, which then needs no
    /// exchange of rows; nil if there is no inverse.
    private static func inverse(of matrix: [[Double]]) -> [[Double]]? {
        let size = matrix.count
        var rows = matrix.indices.map { row in
            matrix[row] + (0..<size).map { $0 == row ? 1 : 0 }
        }
        for pivot in 0..<size {
            let scale = rows[pivot][pivot]
            guard scale > 1e-9 * matrix[pivot][pivot], scale > 0 else { return nil }
            for column in 0..<2 * size { rows[pivot][column] /= scale }
            for row in 0..<size where row != pivot {
                let factor = rows[row][pivot]
                for column in 0..<2 * size { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        return rows.map { Array($0[size...]) }
    }
}
