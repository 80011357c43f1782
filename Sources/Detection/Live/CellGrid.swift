/// A square of cells, row after row.
struct CellGrid: Hashable, Sendable {
    /// Cells of a side.
    let side: Int
    var cells: [Float]

    /// A square of zeros, or of given cells.
    init(side: Int, cells: [Float]? = nil) {
        self.side = side
        self.cells = cells ?? [Float](repeating: 0, count: side * side)
    }

    /// The means of two by two cells each.
    var halved: CellGrid {
        var half = CellGrid(side: side / 2)
        for y in 0..<half.side {
            for x in 0..<half.side {
                let at = 2 * y * side + 2 * x
                let sum = cells[at] + cells[at + 1] + cells[at + side] + cells[at + side + 1]
                half.cells[y * half.side + x] = sum / 4
            }
        }
        return half
    }

    /// Each cell less the mean of its surroundings, in parts of that mean; `reach` cells on each side are its surroundings.
    func relief(reach: Int) -> CellGrid {
        // Sums over all cells above and left of a corner, so that a mean takes four look-ups.
        let wide = side + 1
        var sums = [Float](repeating: 0, count: wide * wide)
        for y in 0..<side {
            var row: Float = 0
            for x in 0..<side {
                row += cells[y * side + x]
                sums[(y + 1) * wide + x + 1] = sums[y * wide + x + 1] + row
            }
        }
        var relief = CellGrid(side: side)
        for y in 0..<side {
            let (top, bottom) = (max(0, y - reach), min(side, y + reach + 1))
            for x in 0..<side {
                let (left, right) = (max(0, x - reach), min(side, x + reach + 1))
                let sum =
                    sums[bottom * wide + right] - sums[top * wide + right]
                    - sums[bottom * wide + left] + sums[top * wide + left]
                let mean = sum / Float((bottom - top) * (right - left))
                // Below 16 of 255 there is more noise than picture.
                relief.cells[y * side + x] = (cells[y * side + x] - mean) / max(mean, 16)
            }
        }
        return relief
    }
}
