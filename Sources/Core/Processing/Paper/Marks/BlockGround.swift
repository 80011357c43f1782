import Imaging

/// The level of a picture's ground in each block of pixels: the median of the block.
struct BlockGround {
    /// The pixels in a block's side.
    static let side = 32
    /// A block with fewer pixels than this does not show its ground.
    private static let fewest = 60

    /// The number of blocks in a row.
    let columns: Int
    /// The number of blocks in a column.
    let rows: Int
    /// The median of each block, row by row; nil for a block with too few pixels.
    let levels: [Int?]
    /// The median distance of a block's pixels from the block's median, for each block with a
    /// median.
    let deviations: [Int]

    /// - Parameters:
    ///   - gray: an 8-bit gray picture.
    ///   - sheets: the areas whose pixels do not count.
    init(of gray: Raster, without sheets: [Quad] = []) {
        let columns = (gray.width + Self.side - 1) / Self.side
        let rows = (gray.height + Self.side - 1) / Self.side
        var counts = [Int](repeating: 0, count: columns * 256)
        var medians: [Int?] = []
        var deviations: [Int] = []
        gray.withBytes { pixels in
            for row in 0..<rows {
                for index in counts.indices { counts[index] = 0 }
                for y in row * Self.side..<min((row + 1) * Self.side, gray.height) {
                    let covered = sheets.compactMap { $0.columns(inRow: y) }
                    for x in 0..<gray.width where !covered.contains(where: { $0.contains(x) }) {
                        counts[x / Self.side * 256 + Int(pixels[y * gray.stride + x])] += 1
                    }
                }
                for column in 0..<columns {
                    let levels = counts[column * 256..<(column + 1) * 256]
                    let number = levels.reduce(0, +)
                    // Blocks at the picture's edges are small; they count if there are no sheets.
                    guard number >= (sheets.isEmpty ? 1 : Self.fewest) else {
                        medians.append(nil)
                        continue
                    }
                    let middle = Self.median(levels, number)
                    medians.append(middle)
                    var apart = [Int](repeating: 0, count: 256)
                    for (level, count) in levels.enumerated() {
                        apart[abs(level - middle)] += count
                    }
                    deviations.append(Self.median(apart[...], number))
                }
            }
        }
        self.columns = columns
        self.rows = rows
        levels = medians
        self.deviations = deviations
    }

    /// The median of the blocks' deviations, in levels; 0 when no block counts.
    var noise: Int { deviations.isEmpty ? 0 : deviations.sorted()[deviations.count / 2] }

    /// The median of each block and the blocks within two of it, so that an object on a few blocks
    /// is not mistaken for ground; nil if none of them counts.
    var smoothed: [Int?] {
        levels.indices.map { index in
            let (column, row) = (index % columns, index / columns)
            var near: [Int] = []
            for y in max(0, row - 2)...min(rows - 1, row + 2) {
                for x in max(0, column - 2)...min(columns - 1, column + 2) {
                    if let level = levels[y * columns + x] { near.append(level) }
                }
            }
            return near.isEmpty ? nil : near.sorted()[near.count / 2]
        }
    }

    private static func median(_ counts: ArraySlice<Int>, _ number: Int) -> Int {
        var below = 0
        for (level, count) in counts.enumerated() {
            below += count
            if 2 * below >= number { return level }
        }
        return 255
    }
}

extension Quad {
    /// The columns of the pixels in row `y` whose middles are in the quad, which is convex; nil
    /// when none are.
    func columns(inRow y: Int) -> Range<Int>? {
        let middle = Double(y) + 0.5
        var (left, right) = (Double.infinity, -Double.infinity)
        for (index, a) in corners.enumerated() {
            let b = corners[(index + 1) % 4]
            guard (a.y > middle) != (b.y > middle) else { continue }
            let x = a.x + (b.x - a.x) * (middle - a.y) / (b.y - a.y)
            (left, right) = (min(left, x), max(right, x))
        }
        guard left < right, right > 0 else { return nil }
        let (first, end) = (Int(max(0, left).rounded()), Int(min(right, 1e6).rounded()))
        return first < end ? first..<end : nil
    }

    /// The quad with each side moved outward by about this many pixels; exactly, for a rectangle.
    func widened(by distance: Double) -> Quad {
        func moved(_ corner: Point, _ a: Point, _ b: Point) -> Point {
            var moved = corner
            for other in [a, b] {
                let (dx, dy) = (corner.x - other.x, corner.y - other.y)
                let length = max(1e-6, (dx * dx + dy * dy).squareRoot())
                moved.x += dx / length * distance
                moved.y += dy / length * distance
            }
            return moved
        }
        return Quad(
            topLeft: moved(topLeft, topRight, bottomLeft),
            topRight: moved(topRight, topLeft, bottomRight),
            bottomRight: moved(bottomRight, bottomLeft, topRight),
            bottomLeft: moved(bottomLeft, bottomRight, topLeft))
    }
}
