/// A square of cells, row after row.
struct CellGrid: Hashable, Sendable {
    /// The number of cells in a side.
    let side: Int
    var cells: [Float]

    /// A square of zeros, or of the given cells.
    init(side: Int, cells: [Float]? = nil) {
        self.side = side
        self.cells = cells ?? [Float](repeating: 0, count: side * side)
    }

    /// A grid with half the side: each cell is the mean of two by two cells.
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

    /// The difference of each cell from the mean of its surroundings, as a fraction of that mean;
    /// the surroundings are `reach` cells on each side.
    func relief(reach: Int) -> CellGrid {
        var relief = means(reach: reach)
        for place in cells.indices {
            let mean = relief.cells[place]
            // Below 16 of 255 there is more noise than picture.
            relief.cells[place] = (cells[place] - mean) / max(mean, 16)
        }
        return relief
    }

    /// The mean of each cell and its surroundings, which are `reach` cells on each side.
    func means(reach: Int) -> CellGrid {
        var means = CellGrid(side: side)
        // The sums of each column's surroundings, and the sums of all columns to the left of a
        // place.
        var columns = [Float](repeating: 0, count: side)
        var sums = [Float](repeating: 0, count: side + 1)
        for row in 0..<min(reach, side) { add(row, to: &columns, times: 1) }
        for y in 0..<side {
            if y + reach < side { add(y + reach, to: &columns, times: 1) }
            if y > reach { add(y - reach - 1, to: &columns, times: -1) }
            let rows = min(side, y + reach + 1) - max(0, y - reach)
            for x in 0..<side { sums[x + 1] = sums[x] + columns[x] }
            for x in 0..<side {
                let (left, right) = (max(0, x - reach), min(side, x + reach + 1))
                means.cells[y * side + x] =
                    (sums[right] - sums[left]) / Float(rows * (right - left))
            }
        }
        return means
    }

    /// Adds a row's cells to the sums of their columns, or subtracts them.
    private func add(_ row: Int, to columns: inout [Float], times sign: Float) {
        for x in 0..<side { columns[x] += sign * cells[row * side + x] }
    }

    /// The sum of squares in each block of `block` × `block` cells, at the place of its upper left
    /// cell; 0 if the block is not inside the grid.
    func energies(ofBlocks block: Int) -> [Float] {
        let squares = cells.map { $0 * $0 }
        let places = side - block + 1
        // Columns of cells are summed first, then the sums of columns, so that the processor adds
        // many at once.
        var columns = [Float](repeating: 0, count: side * side)
        var energies = columns
        columns.withUnsafeMutableBufferPointer { columns in
            for top in 0..<places {
                for row in top..<top + block {
                    for x in 0..<side { columns[top &* side &+ x] += squares[row &* side &+ x] }
                }
            }
            energies.withUnsafeMutableBufferPointer { energies in
                for row in stride(from: 0, to: places * side, by: side) {
                    for shift in 0..<block {
                        for left in 0..<places {
                            energies[row &+ left] += columns[row &+ left &+ shift]
                        }
                    }
                }
            }
        }
        return energies
    }
}
