/// Finds blocks of one square grid in another of the same size.
struct BlockSearch {
    /// A found block: its middle, from the grid's middle, and the distance to the place where it is
    /// found, in cells.
    struct Match {
        var u: Double
        var v: Double
        var dx: Double
        var dy: Double
    }

    private let old: CellGrid
    private let new: CellGrid
    private let block: Int
    private let reach: Int
    private let leastLikeness: Float
    /// The energy of each of the new grid's blocks, by its upper left cell.
    private let energies: [Float]

    /// A search for blocks of `old` in `new`.
    ///
    /// - Parameters:
    ///   - block: the side of a block in cells, a multiple of eight.
    ///   - reach: the number of cells by which a block may have moved.
    ///   - leastLikeness: the correlation above which a block is found.
    init(old: CellGrid, new: CellGrid, block: Int, reach: Int, leastLikeness: Float) {
        (self.old, self.new) = (old, new)
        (self.block, self.reach, self.leastLikeness) = (block, reach, leastLikeness)
        energies = new.energies(ofBlocks: block)
    }

    /// The place where the block at a row and column of the old grid is found; nil if it is empty
    /// or not found.
    func match(_ top: Int, _ left: Int) -> Match? {
        let energy = product(old, top, leftA: left, b: old, topB: top, leftB: left)
        let floor = PageSignature.leastSpread * PageSignature.leastSpread
        guard energy >= floor * Float(block * block) else { return nil }
        var best: (likeness: Float, dx: Int, dy: Int) = (leastLikeness, 0, 0)
        var isFound = false
        let places = 0...(old.side - block)
        for dy in -reach...reach where places.contains(top + dy) {
            for dx in -reach...reach where places.contains(left + dx) {
                let other = energies[(top + dy) * new.side + left + dx]
                guard other > 0 else { continue }
                let likeness =
                    product(old, top, leftA: left, b: new, topB: top + dy, leftB: left + dx)
                    / (energy * other).squareRoot()
                if likeness > best.likeness {
                    best = (likeness, dx, dy)
                    isFound = true
                }
            }
        }
        guard isFound else { return nil }
        let middle = Double(block - old.side) / 2
        return Match(
            u: Double(left) + middle, v: Double(top) + middle, dx: Double(best.dx),
            dy: Double(best.dy))
    }

    /// The sum of products of two blocks' cells, eight cells at a time.
    private func product(
        _ a: CellGrid, _ topA: Int, leftA: Int, b: CellGrid, topB: Int, leftB: Int
    ) -> Float {
        a.cells.withUnsafeBytes { cellsA in
            b.cells.withUnsafeBytes { cellsB in
                let size = MemoryLayout<Float>.size
                var sum = SIMD8<Float>.zero
                for row in 0..<block {
                    let (here, there) = (
                        (topA &+ row) &* a.side &+ leftA, (topB &+ row) &* b.side &+ leftB
                    )
                    for column in stride(from: 0, to: block, by: SIMD8<Float>.scalarCount) {
                        sum +=
                            cellsA.loadUnaligned(
                                fromByteOffset: size &* (here &+ column),
                                as: SIMD8<Float>.self)
                            * cellsB.loadUnaligned(
                                fromByteOffset: size &* (there &+ column),
                                as: SIMD8<Float>.self)
                    }
                }
                return sum.sum()
            }
        }
    }
}
