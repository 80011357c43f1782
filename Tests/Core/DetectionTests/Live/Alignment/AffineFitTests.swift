import Glibc
import Testing

@testable import Detection
@testable import Imaging

@Suite struct AffineFitTests {
    private static let side = 64

    /// Waves that are moved by `shift`.
    private static func waves(_ shift: AffineShift) -> CellGrid {
        var grid = CellGrid(side: side)
        for y in 0..<side {
            for x in 0..<side {
                // The original place of this cell, exact to a hundredth of a cell for shifts below
                // one cell.
                let here = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                let there = shift.place(of: here, side: side)
                let (u, v) = (2 * here.x - there.x, 2 * here.y - there.y)
                grid.cells[y * side + x] = Float(
                    0.05 * sin(u / 2.1) * cos(v / 3.3) + 0.04 * sin(0.3 * u - v / 2.7))
            }
        }
        return grid
    }

    @Test("The shift, turn and stretch of a pattern are found to a fraction of a cell")
    func parts() throws {
        let none = AffineShift(across: .zero, down: .zero)
        let fit = try #require(AffineFit(of: Self.waves(none), rim: 8))
        let moved = AffineShift(
            across: SIMD3(0.3, 0.004, -0.006), down: SIMD3(-0.2, 0.006, -0.003))
        let (found, likeness) = fit.step(to: Self.waves(moved))
        for corner in Quad(width: Self.side, height: Self.side).corners {
            let off = found.place(of: corner, side: Self.side)
                .distance(to: moved.place(of: corner, side: Self.side))
            #expect(off < 0.06, "\(off) cells off")
        }
        #expect(likeness > 0.9 && likeness < 1)
        let (rest, same) = fit.step(to: Self.waves(none))
        #expect(rest.across == .zero && rest.down == .zero && same > 0.9999)
    }

    @Test("An empty grid, or one with stripes only, can't be aligned")
    func flat() {
        #expect(AffineFit(of: CellGrid(side: Self.side), rim: 8) == nil)
        var stripes = CellGrid(side: Self.side)
        for cell in stripes.cells.indices where cell % Self.side % 6 < 3 {
            stripes.cells[cell] = 0.1
        }
        #expect(AffineFit(of: stripes, rim: 8) == nil)
    }
}
