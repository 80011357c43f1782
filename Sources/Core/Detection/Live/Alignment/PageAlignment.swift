/// A map of one square grid's contents onto another's: a small shift, turn and stretch, different
/// for each corner.
///
/// When the corners of a moved page, or of one in a stack, are found again, one or two may be off
/// by a tenth of a side. The contents then appear slightly moved. Blocks of a quarter of the side
/// are searched near their place, and a bilinear map is fitted to the shifts on which most blocks
/// agree.
struct PageAlignment: Sendable {
    /// The movement of the contents, across and down.
    private var across: GridShift
    private var down: GridShift

    /// The minimum correlation of a found block.
    private static let leastLikeness: Float = 0.6
    /// The maximum number of cells by which a block's shift may differ from the map's shift.
    private static let tolerance = 1.0
    /// The minimum number of blocks for a map.
    private static let leastBlocks = 8

    /// The map from `old` to `new`; nil when too few blocks are found.
    ///
    /// - Parameter reach: how many cells a block may have moved.
    init?(from old: CellGrid, to new: CellGrid, reach: Int) {
        let block = old.side / 4
        let search = BlockSearch(
            old: old, new: new, block: block, reach: reach, leastLikeness: Self.leastLikeness)
        var matches: [BlockSearch.Match] = []
        for top in stride(from: 0, through: old.side - block, by: block / 2) {
            for left in stride(from: 0, through: old.side - block, by: block / 2) {
                if let match = search.match(top, left) { matches.append(match) }
            }
        }
        guard let fit = Self.agreed(matches, side: old.side) else { return nil }
        (across, down) = fit
    }

    /// The same map for grids of twice the resolution.
    var doubled: PageAlignment {
        var map = self
        map.across = across.doubled
        map.down = down.doubled
        return map
    }

    /// The map that applies this one, and then `rest`.
    func adding(_ rest: PageAlignment) -> PageAlignment {
        var map = self
        map.across = across.adding(rest.across)
        map.down = down.adding(rest.down)
        return map
    }

    /// `new`, moved back onto the old grid, and which of its cells are known.
    func applied(to new: CellGrid) -> (cells: CellGrid, isKnown: [Bool]) {
        let side = new.side
        let middle = Double(side) / 2
        var cells = CellGrid(side: side)
        var isKnown = [Bool](repeating: false, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                let (u, v) = (Double(x) + 0.5 - middle, Double(y) + 0.5 - middle)
                let fromX = Double(x) + across.at(u, v)
                let fromY = Double(y) + down.at(u, v)
                guard fromX >= 0, fromY >= 0, fromX < Double(side - 1), fromY < Double(side - 1)
                else { continue }
                let (left, top) = (Int(fromX), Int(fromY))
                let (p, q) = (Float(fromX - Double(left)), Float(fromY - Double(top)))
                let at = top * side + left
                let upper = new.cells[at] + p * (new.cells[at + 1] - new.cells[at])
                let under = at + side
                let lower = new.cells[under] + p * (new.cells[under + 1] - new.cells[under])
                cells.cells[y * side + x] = upper + q * (lower - upper)
                isKnown[y * side + x] = true
            }
        }
        return (cells, isKnown)
    }

    // MARK: Making

    /// The map on which most blocks agree: a common shift first, then repeatedly its growth, by
    /// least squares over the blocks near it.
    private static func agreed(_ matches: [BlockSearch.Match], side: Int) -> (GridShift, GridShift)?
    {
        guard matches.count >= leastBlocks else { return nil }
        var best: (count: Int, fit: (GridShift, GridShift))?
        for seed in matches {
            var fit = (GridShift(seed.dx, side: side), GridShift(seed.dy, side: side))
            // A turn or stretch moves a block more, the farther it is from the seed.
            var reach = 3 * tolerance
            var near: [BlockSearch.Match] = []
            for _ in 0..<4 {
                near = matches.filter { isNear($0, fit, reach) }
                guard near.count >= leastBlocks,
                    let x = GridShift(near.map { ($0.u, $0.v, $0.dx) }, side: side),
                    let y = GridShift(near.map { ($0.u, $0.v, $0.dy) }, side: side)
                else { break }
                fit = (x, y)
                reach = tolerance
            }
            near = matches.filter { isNear($0, fit, tolerance) }
            if near.count > best?.count ?? 0 { best = (near.count, fit) }
        }
        guard let best, best.count >= leastBlocks, 2 * best.count >= matches.count else {
            return nil
        }
        return best.fit
    }

    private static func isNear(
        _ match: BlockSearch.Match, _ fit: (GridShift, GridShift), _ reach: Double
    ) -> Bool {
        let dx = fit.0.at(match.u, match.v) - match.dx
        let dy = fit.1.at(match.u, match.v) - match.dy
        return dx.magnitude <= reach && dy.magnitude <= reach
    }
}
