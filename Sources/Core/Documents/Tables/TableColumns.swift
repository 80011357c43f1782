/// The columns of a table: ranges of its width with a gap between them in every row.
struct TableColumns {
    /// The left and right end of each column, in pixels, in order.
    let ranges: [Range<Int>]

    /// The columns that the pieces of some rows form.
    init(_ rows: [TableRow]) {
        // Titles across several columns hide the gaps between these. So the gaps are found first
        // without the parts that only few rows have.
        let few = rows.count >= 4 ? max(1, rows.count / 10) : 0
        let rough = Self.ranges(of: rows.map(\.pieces), coveredBy: few)
        let plain = rows.map { row in
            row.pieces.filter { piece in rough.count { $0.overlaps(piece.left..<piece.right) } < 2 }
        }
        ranges = Self.ranges(of: plain, coveredBy: 0)
    }

    /// The number of a piece's column.
    func column(of piece: TableRow.Piece) -> Int {
        let shares = ranges.map { min($0.upperBound, piece.right) - max($0.lowerBound, piece.left) }
        return shares.indices.max { (shares[$0], $1) < (shares[$1], $0) } ?? 0
    }

    /// The ranges in which more than `few` rows have a piece.
    private static func ranges(of rows: [[TableRow.Piece]], coveredBy few: Int) -> [Range<Int>] {
        var steps: [(x: Int, change: Int)] = []
        for piece in rows.joined() where piece.right > piece.left {
            steps.append((piece.left, 1))
            steps.append((piece.right, -1))
        }
        steps.sort { ($0.x, -$0.change) < ($1.x, -$1.change) }
        var ranges: [Range<Int>] = []
        var (depth, start) = (0, 0)
        for (x, change) in steps {
            let before = depth
            depth += change
            if before <= few, depth > few { start = x }
            if before > few, depth <= few, x > start { ranges.append(start..<x) }
        }
        return ranges
    }
}
