/// A shift of a square grid's contents, in cells, that grows with the distance from the middle.
///
/// The shift is a + b u + c v + d u v.
struct GridShift: Sendable {
    private var terms: [Double]
    /// Half of the side in cells: u and v are divided by it, so that their product is no larger
    /// than either.
    private var unit: Double

    /// The steepest growth, in cells per cell; slightly wrong corners cause no steeper one.
    private static let steepest = 0.2

    /// A shift that is the same everywhere.
    init(_ shift: Double, side: Int) {
        terms = [shift, 0, 0, 0]
        unit = Double(side) / 2
    }

    /// The best fit to shifts at several places, by least squares; nil when the places are on one
    /// line, or when the shift grows too steeply.
    init?(_ shifts: [(u: Double, v: Double, shift: Double)], side: Int) {
        unit = Double(side) / 2
        // The normal equations, with the right side as their fifth column.
        var rows = [[Double]](repeating: [Double](repeating: 0, count: 5), count: 4)
        for (u, v, shift) in shifts {
            let values = [1, u, v, u * v / unit]
            for row in 0..<4 {
                for column in 0..<4 { rows[row][column] += values[row] * values[column] }
                rows[row][4] += values[row] * shift
            }
        }
        // The equations are symmetric and, with places all over the grid, positive definite, so
        // elimination needs no exchange of rows.
        for pivot in 0..<4 {
            guard rows[pivot][pivot] > 1e-3 else { return nil }
            for row in 0..<4 where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot..<5 { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        terms = (0..<4).map { rows[$0][4] / rows[$0][$0] }
        guard terms.dropFirst().allSatisfy({ $0.magnitude < Self.steepest }) else { return nil }
    }

    /// The shift at a place, given in cells from the middle.
    func at(_ u: Double, _ v: Double) -> Double {
        terms[0] + terms[1] * u + terms[2] * v + terms[3] * u * v / unit
    }

    /// The same shift on a grid that is twice as fine.
    var doubled: GridShift {
        var shift = self
        shift.terms[0] *= 2
        shift.unit *= 2
        return shift
    }

    /// The sum of both shifts.
    func adding(_ other: GridShift) -> GridShift {
        var sum = self
        sum.terms = zip(terms, other.terms).map { $0 + $1 }
        return sum
    }
}
