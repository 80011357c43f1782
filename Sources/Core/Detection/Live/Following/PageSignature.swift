public import Imaging

/// A page's appearance as a small grid of its brightness after dewarping, by which the same page is
/// recognized.
///
/// For each of 64 × 64 cells, the grid holds the difference from the surroundings, as a part of
/// their brightness. So the level of light, a gradual shadow and the camera's gain cancel out. Two
/// signatures are compared in 8 × 8 blocks, and each block may be shifted by a cell, since corners
/// are never exact. Between pages of text in one layout, a quarter of the blocks or more differ.
/// Between pictures of one page in other light, in another place or with noise, none do.
public struct PageSignature: Hashable, Sendable {
    /// The number of cells in a side.
    static let side = 64
    /// The number of cells in a block's side.
    static let block = 8
    /// The number of cells in a side of the grid that serves to align pages.
    ///
    /// A cell of the coarse grid is as high as a line of text, so half a cell's shift would make it
    /// another page.
    static let fineSide = 2 * side
    /// A cell's surroundings are this many cells on each side.
    static let reach = 4
    static let fineReach = reach * fineSide / side

    /// Each cell's difference from its surroundings, row after row.
    private let detail: [Float]
    /// The brightest cell of each block, relative to the brightest of all: about 1 where there is
    /// paper.
    private let paper: [Float]
    /// The brightness of the fine cells.
    private let fine: [UInt8]

    /// The signature of the page inside `quad`; nil when the quad is not convex or has no pixel of
    /// the picture.
    ///
    /// - Parameters:
    ///   - luma: a gray8 picture; others are converted first.
    ///   - quad: the page's corners in the picture's pixels.
    public init?(of quad: Quad, in luma: Raster) {
        let gray = luma.format == .gray8 ? luma : luma.converted(to: .gray8)
        guard let cells = PageCells(of: quad, in: gray, side: Self.side) else { return nil }
        self.init(levels: cells.coarse, fine: cells.fine)
    }

    /// The signature of a page whose cells and fine cells have this brightness.
    private init(levels: CellGrid, fine: [UInt8]) {
        detail = levels.relief(reach: Self.reach).cells
        paper = Self.paper(levels)
        self.fine = fine
    }

    /// A signature with given details, brightness of each block's paper, and brightness of the fine
    /// cells.
    init(detail: [Float], paper: [Float], fine: [UInt8]) {
        self.detail = detail
        self.paper = paper
        self.fine = fine
    }

    /// The part of a page's cells, 0…1, that may change from one frame to the next while the page
    /// lies still.
    public static let stillMotion = 0.03

    // MARK: Comparing

    /// The difference between two pages.
    public struct Change: Hashable, Sendable {
        /// The part of the blocks with content that differ, 0…1.
        public var share: Double
        /// The number of blocks that have content on either page.
        public var blocks: Int
        /// The part of the differing blocks whose paper became dark, 0…1: an object such as a hand
        /// covers them.
        public var covered: Double
        /// True when both pages have too little content to distinguish them.
        public var isBlank: Bool { blocks < 3 }
    }

    /// The change of this page from an earlier one.
    public func change(since earlier: PageSignature) -> Change {
        var (changed, blocks, covered, block) = (0, 0, 0, 0)
        let size = Self.block
        detail.withUnsafeBufferPointer { a in
            earlier.detail.withUnsafeBufferPointer { b in
                for top in stride(from: 0, to: Self.side, by: size) {
                    for left in stride(from: 0, to: Self.side, by: size) {
                        defer { block += 1 }
                        guard let likeness = Self.likeness(a, b, top: top, left: left) else {
                            continue
                        }
                        blocks += 1
                        guard likeness < Self.leastLikeness else { continue }
                        changed += 1
                        if paper[block] < earlier.paper[block] - Self.darkening { covered += 1 }
                    }
                }
            }
        }
        return Change(
            share: blocks > 0 ? Double(changed) / Double(blocks) : 0, blocks: blocks,
            covered: changed > 0 ? Double(covered) / Double(changed) : 0)
    }

    /// The page unturned, and turned by one, two and three quarters.
    var inEachTurn: [PageSignature] {
        var turns = [self]
        for _ in 1..<4 { turns.append(turns[turns.count - 1].turned()) }
        return turns
    }

    /// The smallest change between a page and an earlier one over all turns of one of them; `turns`
    /// has at least one.
    static func leastChange(of turns: [PageSignature], since earlier: PageSignature) -> Change {
        var least = turns[0].change(since: earlier)
        for turn in turns.dropFirst() {
            let change = turn.change(since: earlier)
            if change.share < least.share { least = change }
        }
        return least
    }

    /// The change of this page from an earlier one after the best alignment, with corners that are
    /// wrong by at most a tenth of a side.
    ///
    /// Nil when the contents are not found again: a quarter of the inner blocks differ on the fine
    /// grid.
    ///
    /// The outermost blocks are left out: wrong corners include the surroundings of the page, or
    /// the page below it in a stack.
    ///
    /// - Parameters:
    ///   - earlier: the page to align with.
    ///   - surely: true to require a better match, as among many pages.
    public func changeWhenAligned(since earlier: PageSignature, surely: Bool = false) -> Change? {
        let (old, new) = (earlier.fineGrid, fineGrid)
        let oldRelief = old.relief(reach: Self.fineReach)
        guard
            let coarse = PageAlignment(
                from: CellGrid(side: Self.side, cells: earlier.detail),
                to: CellGrid(side: Self.side, cells: detail), reach: 8)
        else { return nil }
        var map = coarse.doubled
        let relief = map.applied(to: new).cells.relief(reach: Self.fineReach)
        if let rest = PageAlignment(from: oldRelief, to: relief, reach: 3) {
            map = map.adding(rest)
        }
        let (cells, isKnown) = map.applied(to: new)
        let likeness = Self.likeness(
            of: oldRelief, in: cells.relief(reach: Self.fineReach), isKnown)
        guard let likeness, likeness >= (surely ? Self.sureLikeness : Self.leastLikeness) else {
            return nil
        }
        let aligned = PageSignature(
            levels: cells.halved, fine: cells.cells.map { UInt8($0 + 0.5) })
        // Cells beyond this signature's edge are not compared either.
        let isCompared = aligned.detail.indices.map { cell in
            let (x, y) = (cell % Self.side, cell / Self.side)
            return Self.isInner(x) && Self.isInner(y) && isKnown[2 * y * Self.fineSide + 2 * x]
        }
        return aligned.only(isCompared).change(since: earlier.only(isCompared))
    }

    /// True if an earlier signature certainly shows this page at the right corners: hardly a block
    /// differs, and the fine grid has the same words.
    func isSurely(_ earlier: PageSignature) -> Bool {
        let change = change(since: earlier)
        guard change.blocks >= Self.leastBlocks, change.share < Self.sureChange else {
            return false
        }
        let likeness = Self.likeness(
            of: earlier.fineGrid.relief(reach: Self.fineReach),
            in: fineGrid.relief(reach: Self.fineReach),
            [Bool](repeating: true, count: fine.count))
        return likeness.map { $0 >= Self.sureLikeness } ?? false
    }

    /// The match between `old` and a grid that was aligned with it, as the correlation that three
    /// quarters of the inner blocks reach; nil without content.
    ///
    /// Lines of print match any others of the same pitch; only finer cells distinguish the words.
    private static func likeness(
        of old: CellGrid, in new: CellGrid, _ isKnown: [Bool]
    ) -> Float? {
        let block = fineSide / side * block
        func kept(_ grid: CellGrid) -> [Float] { zip(grid.cells, isKnown).map { $1 ? $0 : 0 } }
        let inner = stride(from: block, to: fineSide - block, by: block)
        let likenesses = kept(old).withUnsafeBufferPointer { a in
            kept(new).withUnsafeBufferPointer { b in
                inner.flatMap { top in
                    inner.compactMap { left in
                        likeness(a, b, top: top, left: left, side: fineSide, block: block)
                    }
                }
            }
        }.sorted()
        return likenesses.isEmpty ? nil : likenesses[likenesses.count / 4]
    }

    /// The brightness of the fine cells.
    private var fineGrid: CellGrid { CellGrid(side: Self.fineSide, cells: fine.map { Float($0) }) }

    /// The page with all other cells empty.
    private func only(_ isKept: [Bool]) -> PageSignature {
        PageSignature(
            detail: zip(detail, isKept).map { $1 ? $0 : 0 }, paper: paper, fine: fine)
    }

    /// True if a row or column of cells is outside the outermost blocks.
    private static func isInner(_ place: Int) -> Bool {
        (block..<side - block).contains(place)
    }

    /// The part of the cells, 0…1, that differ clearly from those a moment before because something
    /// moved.
    public func motion(since earlier: PageSignature) -> Double {
        let count = detail.withUnsafeBufferPointer { a in
            earlier.detail.withUnsafeBufferPointer { b in
                var (count, cell) = (0, 0)
                while cell < a.count {
                    if (a[cell] - b[cell]).magnitude > Self.visible { count &+= 1 }
                    cell &+= 1
                }
                return count
            }
        }
        return Double(count) / Double(detail.count)
    }

    /// A block whose details spread less than this has only noise.
    static let leastSpread: Float = 0.015
    /// Below this correlation, two blocks differ.
    private static let leastLikeness: Float = 0.5
    /// The correlation that three quarters of the blocks reach if a page is certainly the same: the
    /// same page has 0.7 or more, another page of its layout sometimes just over 0.5.
    private static let sureLikeness: Float = 0.65
    /// Fewer blocks with content can't identify a page.
    private static let leastBlocks = 8
    /// The part of the blocks that may differ if a page is certainly the same.
    private static let sureChange = 0.15
    /// A block is covered if its paper became darker by more than this, relative to the brightest
    /// cell.
    private static let darkening: Float = 0.12
    /// The number of cells by which a block may be shifted.
    private static let shift = 1
    /// A change of a cell by more than this is visible.
    private static let visible: Float = 0.08

    /// The best correlation of a block over its shifts, −1…1; nil when the block is empty in both.
    private static func likeness(
        _ a: UnsafeBufferPointer<Float>, _ b: UnsafeBufferPointer<Float>, top: Int, left: Int,
        side: Int = side, block: Int = block
    ) -> Float? {
        let floor = leastSpread * leastSpread * Float(block * block)
        let energy = power(a, top, left: left, side: side, block: block)
        guard max(energy, power(b, top, left: left, side: side, block: block)) >= floor else {
            return nil
        }
        guard energy >= floor / 4 else { return 0 }
        var best: Float = -1
        for dy in -shift...shift {
            for dx in -shift...shift {
                let (y, x) = (top + dy, left + dx)
                guard y >= 0, x >= 0, y + block <= side, x + block <= side else { continue }
                var (product, other): (Float, Float) = (0, 0)
                var (here, there, row) = (top &* side &+ left, y &* side &+ x, 0)
                while row < block {
                    var column = 0
                    while column < block {
                        let (p, q) = (a[here &+ column], b[there &+ column])
                        product += p * q
                        other += q * q
                        column &+= 1
                    }
                    here &+= side
                    there &+= side
                    row &+= 1
                }
                best = max(best, product / max(energy * other, .leastNormalMagnitude).squareRoot())
            }
        }
        return best
    }

    private static func power(
        _ cells: UnsafeBufferPointer<Float>, _ top: Int, left: Int, side: Int, block: Int
    ) -> Float {
        var sum: Float = 0
        for row in 0..<block {
            let start = (top &+ row) &* side &+ left
            for column in 0..<block { sum += cells[start &+ column] * cells[start &+ column] }
        }
        return sum
    }

    /// The page, turned by another quarter.
    private func turned() -> PageSignature {
        func turned<Cell>(_ grid: [Cell], _ n: Int) -> [Cell] {
            var turned = grid
            for y in 0..<n {
                for x in 0..<n { turned[x * n + (n - 1 - y)] = grid[y * n + x] }
            }
            return turned
        }
        return PageSignature(
            detail: turned(detail, Self.side), paper: turned(paper, Self.side / Self.block),
            fine: turned(fine, Self.fineSide))
    }

    // MARK: Making

    /// The brightest cell of each block, relative to the brightest of all.
    private static func paper(_ levels: CellGrid) -> [Float] {
        let blocks = side / block
        let most = max(levels.cells.max() ?? 1, 1)
        var paper = [Float](repeating: 0, count: blocks * blocks)
        for y in 0..<side {
            for x in 0..<side {
                let place = y / block &* blocks &+ x / block
                paper[place] = max(paper[place], levels.cells[y &* side &+ x] / most)
            }
        }
        return paper
    }
}
