import Imaging

/// The median levels of small squares of a gray picture, in which dark areas are found.
struct ShadeTiles {
    /// The side of a square in pixels.
    static let side = 8
    /// An area is dark if it is darker than the paper by this many levels.
    private static let darker = 64
    /// The minimum number of squares across, down and in all of a dark area.
    private static let (fewestAcross, fewestDown, fewest) = (4, 2, 8)
    /// The part of its rectangle that an area fills at least; frames and slanted edges fill less.
    private static let fill = 0.5

    /// A dark area.
    struct Area: Hashable {
        /// The indices of its squares.
        var tiles: [Int]
        /// Its columns of squares.
        var across: ClosedRange<Int>
        /// Its rows of squares.
        var down: ClosedRange<Int>
    }

    let columns: Int
    let rows: Int
    /// The median level of each square, row by row.
    private let levels: [UInt8]

    /// The squares of a `gray8` picture; incomplete ones at its right and lower edges are left out.
    init(_ gray: Raster) {
        let (columns, rows, stride) = (gray.width / Self.side, gray.height / Self.side, gray.stride)
        self.columns = columns
        self.rows = rows
        var levels = [UInt8](repeating: 0, count: columns * rows)
        gray.withBytes { bytes in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { counts in
                for index in levels.indices {
                    counts.initialize(repeating: 0)
                    var start = index / columns * Self.side * stride + index % columns * Self.side
                    for _ in 0..<Self.side {
                        for x in start..<start + Self.side { counts[Int(bytes[x] >> 4)] &+= 1 }
                        start += stride
                    }
                    var (level, seen) = (0, Int(counts[0]))
                    while 2 * seen < Self.side * Self.side {
                        level += 1
                        seen += Int(counts[level])
                    }
                    levels[index] = UInt8(level << 4 | 8)
                }
            }
        }
        self.levels = levels
    }

    /// The areas that are darker than the paper, without holes; cells of a row are one area.
    func darkAreas() -> [Area] {
        guard let paper = levels.sorted(at: 0.95) else { return [] }
        var isDark = levels.map { Int($0) + Self.darker < Int(paper) }
        var areas: [Area] = []
        for index in isDark.indices where isDark[index] {
            let area = connected(from: index, in: &isDark)
            if isLarge(area) { areas.append(filled(area)) }
        }
        return joined(areas)
    }

    private func isLarge(_ area: Area) -> Bool {
        area.across.count >= Self.fewestAcross && area.down.count >= Self.fewestDown
            && area.tiles.count >= Self.fewest
            && Double(area.tiles.count)
                >= Self.fill * Double(area.across.count * area.down.count)
    }

    /// The squares connected with one, which are removed from `isMember`.
    private func connected(from index: Int, in isMember: inout [Bool]) -> Area {
        var tiles = [index]
        isMember[index] = false
        var at = 0
        var (left, right) = (index % columns, index % columns)
        var (top, bottom) = (index / columns, index / columns)
        while at < tiles.count {
            let (x, y) = (tiles[at] % columns, tiles[at] / columns)
            at += 1
            (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            where (0..<columns).contains(x) && (0..<rows).contains(y) {
                let next = y * columns + x
                guard isMember[next] else { continue }
                isMember[next] = false
                tiles.append(next)
            }
        }
        return Area(tiles: tiles, across: left...right, down: top...bottom)
    }

    /// The area with its enclosed squares, such as those of large letters.
    private func filled(_ area: Area) -> Area {
        let width = area.across.count + 2
        let height = area.down.count + 2
        let (left, top) = (area.across.lowerBound - 1, area.down.lowerBound - 1)
        var isOutside = [Bool](repeating: true, count: width * height)
        for tile in area.tiles {
            isOutside[(tile / columns - top) * width + tile % columns - left] = false
        }
        var waiting = [0]
        isOutside[0] = false
        var isReached = [Bool](repeating: false, count: width * height)
        while let place = waiting.popLast() {
            isReached[place] = true
            let (x, y) = (place % width, place / width)
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            where (0..<width).contains(x) && (0..<height).contains(y) && isOutside[y * width + x] {
                isOutside[y * width + x] = false
                waiting.append(y * width + x)
            }
        }
        var area = area
        area.tiles = area.down.flatMap { y in
            area.across.filter { !isReached[(y - top) * width + $0 - left] }
                .map { y * columns + $0 }
        }
        return area
    }

    /// The areas, with those side by side at the same height joined.
    private func joined(_ areas: [Area]) -> [Area] {
        var result: [Area] = []
        for area in areas.sorted(by: { $0.across.lowerBound < $1.across.lowerBound }) {
            let before = result.firstIndex { one in
                let shared =
                    min(one.down.upperBound, area.down.upperBound)
                    - max(one.down.lowerBound, area.down.lowerBound) + 1
                let height = max(one.down.count, area.down.count)
                return 10 * shared >= 7 * height
                    && area.across.lowerBound - one.across.upperBound <= max(height, 3)
            }
            guard let before else {
                result.append(area)
                continue
            }
            let one = result[before]
            result[before] = Area(
                tiles: one.tiles + area.tiles,
                across: one.across.lowerBound...max(one.across.upperBound, area.across.upperBound),
                down: min(
                    one.down.lowerBound, area.down.lowerBound)...max(
                        one.down.upperBound, area.down.upperBound))
        }
        return result
    }
}

extension [UInt8] {
    /// The value below which this part of all values lies; nil for none.
    func sorted(at share: Double) -> UInt8? {
        guard !isEmpty else { return nil }
        var counts = [Int](repeating: 0, count: 256)
        for value in self { counts[Int(value)] += 1 }
        return counts.level(at: share)
    }
}

extension [Int] {
    /// The level below which this part of a histogram's pixels lies.
    func level(at share: Double) -> UInt8 {
        let wanted = Int(Double(reduce(0, +)) * share)
        var seen = 0
        let level = firstIndex { count in
            seen += count
            return seen > wanted
        }
        return UInt8(level ?? count - 1)
    }
}
