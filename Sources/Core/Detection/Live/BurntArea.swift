import Imaging

/// The part of a page that a reflection or a close lamp has burnt out: saturated pixels over an
/// area so large that print is lost, with paper that gradually gets darker around it.
///
/// Around a white label, a picture's sky or a card's border, the level falls abruptly. The page is
/// divided into cells. Only the lightest spot of a cell counts, so that print makes no difference.
struct BurntArea {
    /// The minimum level at which the sensor may be saturated.
    static let full: UInt8 = 252
    /// A cell's side is this part of the picture's long side, and at least 8 pixels.
    private static let side = 80
    /// The minimum fraction of saturated pixels in a burnt cell, in which no print is left.
    private static let burnt = 0.9
    /// Below this level, paper is no longer saturated.
    private static let light = 250
    /// If three quarters of the unsaturated paper have at least this level, the page is just white,
    /// without a reflection.
    private static let whitePaper = 225
    /// The minimum fall of the paper's level at a reflection's end, from one cell to the next and
    /// over two cells; noise and light from one side change it by less.
    private static let (fall, fallOfTwo) = (2, 8)

    fileprivate struct Cell {
        var count = 0
        var full = 0
        /// The highest level of three neighboring pixels in a row.
        var level = 0
        var isBurnt = false
    }

    private let columns: Int
    private let rows: Int
    private var cells: [Cell]
    /// The number of examined pixels.
    private var count = 0

    /// Examines every second row of the page.
    init(of quad: Quad, in luma: Raster) {
        let side = max(8, max(luma.width, luma.height) / Self.side)
        columns = (luma.width + side - 1) / side
        rows = (luma.height + side - 1) / side
        cells = Self.cells(of: quad, in: luma, side: side, columns: columns, rows: rows)
        let least = side * side / 4
        for place in cells.indices {
            count += cells[place].count
            // A cell on the page's border shows mostly the surroundings.
            if cells[place].count < least { cells[place].level = 0 }
            cells[place].isBurnt =
                cells[place].level > 0
                && Double(cells[place].full) >= Self.burnt * Double(cells[place].count)
        }
    }

    /// The cells, from every second row of pixels.
    private static func cells(
        of quad: Quad, in luma: Raster, side: Int, columns: Int, rows: Int
    ) -> [Cell] {
        var cells = [Cell](repeating: Cell(), count: columns * rows)
        // The columns of a row of cells are counted separately first, so that the processor can
        // handle many pixels at once.
        var counts = ColumnCounts(width: luma.width)
        luma.withBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for row in 0..<rows {
                let first = max(1, row * side) | 1
                for y in stride(from: first, to: min(luma.height - 1, (row + 1) * side), by: 2) {
                    guard let inside = quad.columns(ofRow: y, width: luma.width) else { continue }
                    counts.add(base + y * luma.stride, inside)
                }
                for column in 0..<columns {
                    let cell = column * side..<min(luma.width, (column + 1) * side)
                    cells[row * columns + column] = counts.sum(over: cell)
                }
                counts.reset()
            }
        }
        return cells
    }

    /// The burnt part of the page, 0…1.
    var share: Double {
        guard cells.contains(where: \.isBurnt) else { return 0 }
        let others = cells.map(\.level).filter { (1..<Self.light).contains($0) }.sorted()
        guard count > 0, !others.isEmpty, others[others.count / 4] < Self.whitePaper else {
            return 0
        }
        var taken = [Bool](repeating: false, count: cells.count)
        var sum = 0
        for start in cells.indices where cells[start].isBurnt && !taken[start] {
            let area = area(from: start, &taken)
            var votes = 0
            for place in area {
                for step in [(1, 0), (-1, 0), (0, 1), (0, -1)] { votes += vote(from: place, step) }
            }
            if votes > 0 { sum += fullPixels(of: area) }
        }
        return Double(sum) / Double(count)
    }

    /// The burnt cells that are connected with the cell `start`.
    private func area(from start: Int, _ taken: inout [Bool]) -> [Int] {
        var area = [start]
        taken[start] = true
        var next = 0
        while next < area.count {
            forEachPlace(about: area[next]) { place in
                guard cells[place].isBurnt, !taken[place] else { return }
                taken[place] = true
                area.append(place)
            }
            next += 1
        }
        return area
    }

    /// The number of saturated pixels in some cells and their neighbors.
    private func fullPixels(of area: [Int]) -> Int {
        var isCounted = [Bool](repeating: false, count: cells.count)
        var sum = 0
        for cell in area {
            forEachPlace(about: cell) { place in
                if !isCounted[place] { sum += cells[place].full }
                isCounted[place] = true
            }
        }
        return sum
    }

    /// Visits a cell and its neighbors, including diagonal ones.
    private func forEachPlace(about place: Int, _ body: (Int) -> Void) {
        let (x, y) = (place % columns, place / columns)
        for row in max(0, y - 1)...min(rows - 1, y + 1) {
            for column in max(0, x - 1)...min(columns - 1, x + 1) { body(row * columns + column) }
        }
    }

    /// How the light ends in a direction: 1 where it falls off gradually, −1 where it
    /// stops abruptly, 0 inside the area and where the page ends first.
    private func vote(from place: Int, _ step: (x: Int, y: Int)) -> Int {
        var (x, y) = (place % columns, place / columns)
        /// The next cell; nil outside the page.
        func next() -> Cell? {
            (x, y) = (x + step.x, y + step.y)
            guard (0..<columns).contains(x), (0..<rows).contains(y) else { return nil }
            let cell = cells[y * columns + x]
            return cell.level > 0 ? cell : nil
        }
        guard var cell = next(), !cell.isBurnt else { return 0 }
        // In the outer part of a reflection, print is still visible on saturated paper.
        while cell.level >= Self.light {
            guard let further = next(), !further.isBurnt else { return 0 }
            cell = further
        }
        guard let second = next(), let third = next() else { return 0 }
        let (near, far) = (cell.level - second.level, second.level - third.level)
        return near >= Self.fall && far >= Self.fall && near + far >= Self.fallOfTwo ? 1 : -1
    }
}

/// Counts for each column of a picture.
private struct ColumnCounts {
    private var count: [UInt16]
    private var full: [UInt16]
    /// The highest sum of three neighboring pixels around each column.
    private var level: [UInt16]

    init(width: Int) {
        count = [UInt16](repeating: 0, count: width)
        (full, level) = (count, count)
    }

    /// Sets all counts to zero.
    mutating func reset() {
        for column in count.indices {
            count[column] = 0
            full[column] = 0
            level[column] = 0
        }
    }

    /// Counts pixels of a row that have a neighbor on both sides.
    mutating func add(_ row: UnsafePointer<UInt8>, _ columns: Range<Int>) {
        count.withUnsafeMutableBufferPointer { count in
            full.withUnsafeMutableBufferPointer { full in
                level.withUnsafeMutableBufferPointer { level in
                    var x = columns.lowerBound
                    while x < columns.upperBound {
                        let here = UInt16(row[x])
                        count[x] &+= 1
                        full[x] &+= row[x] >= BurntArea.full ? 1 : 0
                        level[x] = max(level[x], UInt16(row[x &- 1]) &+ here &+ UInt16(row[x &+ 1]))
                        x &+= 1
                    }
                }
            }
        }
    }

    func sum(over columns: Range<Int>) -> BurntArea.Cell {
        var cell = BurntArea.Cell()
        for x in columns {
            cell.count += Int(count[x])
            cell.full += Int(full[x])
            cell.level = max(cell.level, Int(level[x]) / 3)
        }
        return cell
    }
}
