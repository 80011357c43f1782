import Testing

@testable import Detection

@Suite struct CellGridTests {
    private static func grid(side: Int) -> CellGrid {
        var dice = Dice(5)
        return CellGrid(
            side: side,
            cells: (0..<side * side).map { _ in Float(Int.random(in: 0...255, using: &dice)) })
    }

    /// The cells in a part of the grid.
    private static func cells(_ grid: CellGrid, _ rows: Range<Int>, _ columns: Range<Int>)
        -> [Float]
    {
        let places = 0..<grid.side
        return rows.clamped(to: places).flatMap { y in
            columns.clamped(to: places).map { x in grid.cells[y * grid.side + x] }
        }
    }

    @Test(
        "Relief is a cell's difference from the mean of its surroundings, as a fraction of it",
        arguments: [1, 4, 9])
    func relief(reach: Int) {
        let grid = Self.grid(side: 16)
        let (relief, means) = (grid.relief(reach: reach), grid.means(reach: reach))
        for y in 0..<16 {
            for x in 0..<16 {
                let about = Self.cells(grid, y - reach..<y + reach + 1, x - reach..<x + reach + 1)
                let mean = about.reduce(0, +) / Float(about.count)
                let expected = (grid.cells[y * 16 + x] - mean) / max(mean, 16)
                #expect((relief.cells[y * 16 + x] - expected).magnitude < 1e-4)
                #expect((means.cells[y * 16 + x] - mean).magnitude < 1e-3)
            }
        }
    }

    @Test("The energy of a block is the sum of its squares", arguments: [1, 4, 16])
    func energies(block: Int) {
        let grid = Self.grid(side: 16)
        let energies = grid.energies(ofBlocks: block)
        #expect(energies.count == 256)
        for y in 0..<16 {
            for x in 0..<16 {
                let cells = Self.cells(grid, y..<y + block, x..<x + block)
                let isInside = cells.count == block * block
                let expected = isInside ? cells.reduce(0) { $0 + $1 * $1 } : 0
                #expect((energies[y * 16 + x] - expected).magnitude <= 1e-5 * expected)
            }
        }
    }
}
