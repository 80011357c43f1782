/// The connected patches of ink in a black-and-white picture, with the runs of pixels they are made
/// of.
///
/// Pixels that touch at a corner are connected. Found in one pass over the rows' runs with a
/// union-find, after Rosenfeld and Pfaltz, "Sequential operations in digital picture processing",
/// J. ACM 13 (1966).
public struct InkComponents: Sendable {
    /// Ink in one row: from `start` up to, not including, `end`.
    public struct Run: Hashable, Sendable {
        /// The row.
        public var y: Int
        /// The first column.
        public var start: Int
        /// The column after the last.
        public var end: Int

        /// The run in row `y` from column `start` up to `end`.
        public init(y: Int, start: Int, end: Int) {
            self.y = y
            self.start = start
            self.end = end
        }
    }

    /// One patch.
    public struct Component: Sendable {
        /// The smallest rectangle around the patch.
        public var box: PixelRect
        /// The number of pixels in the patch.
        public var area: Int
        /// The range of the patch's runs in ``InkComponents/runs``.
        public var runs: Range<Int>
    }

    /// Every patch, in the order of its first row.
    public private(set) var components: [Component] = []
    /// The runs of all patches; each patch's runs are together.
    public private(set) var runs: [Run] = []

    /// The patches of black in `picture`, which is made bilevel if necessary.
    public init(of picture: Raster) {
        let picture = picture.converted(to: .bilevel)
        var found: [Run] = []
        var rowStarts = [0]
        picture.withRows { rows in
            for y in 0..<picture.height {
                Self.addRuns(of: rows.row(y), width: picture.width, y: y, to: &found)
                rowStarts.append(found.count)
            }
        }
        var parents = Array(0..<found.count)
        for y in 1..<max(1, picture.height) {
            Self.join(
                found, rowStarts[y - 1]..<rowStarts[y], here: rowStarts[y]..<rowStarts[y + 1],
                parents: &parents)
        }
        collect(found, parents)
    }

    private static func addRuns(
        of row: UnsafePointer<UInt8>, width: Int, y: Int, to runs: inout [Run]
    ) {
        var x = 0
        while x < width {
            // Most bytes of a page are white.
            if x % 8 == 0, row[x / 8] == 0 {
                x &+= 8
                continue
            }
            guard row[x / 8] & (0x80 >> UInt8(x % 8)) != 0 else {
                x &+= 1
                continue
            }
            let start = x
            while x < width, row[x / 8] & (0x80 >> UInt8(x % 8)) != 0 { x &+= 1 }
            runs.append(Run(y: y, start: start, end: x))
        }
    }

    private static func join(
        _ runs: [Run], _ above: Range<Int>, here: Range<Int>, parents: inout [Int]
    ) {
        var upper = above.lowerBound
        for lower in here {
            while upper < above.upperBound, runs[upper].end < runs[lower].start { upper += 1 }
            var touching = upper
            while touching < above.upperBound, runs[touching].start <= runs[lower].end {
                let (a, b) = (root(touching, &parents), root(lower, &parents))
                parents[max(a, b)] = min(a, b)
                touching += 1
            }
        }
    }

    private static func root(_ index: Int, _ parents: inout [Int]) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }

    private mutating func collect(_ found: [Run], _ parents: [Int]) {
        var parents = parents
        var counts = [Int](repeating: 0, count: found.count)
        let roots = found.indices.map { Self.root($0, &parents) }
        for root in roots { counts[root] += 1 }
        var places = [Int](repeating: 0, count: found.count)
        var numbers = places
        var next = 0
        for (root, count) in counts.enumerated() where count > 0 {
            places[root] = next
            numbers[root] = components.count
            components.append(
                Component(
                    box: PixelRect(x: found[root].start, y: found[root].y, width: 0, height: 0),
                    area: 0, runs: next..<next + count))
            next += count
        }
        runs = found
        for (index, run) in found.enumerated() {
            let root = roots[index]
            runs[places[root]] = run
            places[root] += 1
            let number = numbers[root]
            let box = components[number].box
            let left = min(box.x, run.start)
            let right = max(box.x + box.width, run.end)
            components[number].box = PixelRect(
                x: left, y: box.y, width: right - left, height: run.y + 1 - box.y)
            components[number].area += run.end - run.start
        }
    }
}
