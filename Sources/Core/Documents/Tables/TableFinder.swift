extension PageText {
    /// The tables on the page from top to bottom, found by the places of words; ruled lines are not
    /// needed.
    ///
    /// At least three rows with cells in two or more columns make a table. Columns of running text
    /// don't count.
    public var tables: [TextTable] {
        let words = words.filter {
            $0.box.isInRange && !$0.text.allSatisfy(Self.rules.contains)
        }
        guard let letter = Self.letterWidth(words) else { return [] }
        return Self.groups(TableRow.rows(of: words, letter: letter)).compactMap(Self.table)
    }

    /// The characters that readers see in ruled lines.
    private static let rules: Set<Character> = ["|", "¦", "_", "‾"]
    /// The minimum number of rows with cells side by side that make a table.
    private static let fewestRows = 3
    /// A table ends at a gap as high as this many of its lines.
    private static let widestGap = 2.6
    /// The maximum number of rows with a single piece, such as headings, that may follow each other
    /// within a table.
    private static let mostHeadings = 2
    /// A column whose cells have more words than this on average is running text.
    private static let fewWords = 4.0

    /// The median width of a letter.
    private static func letterWidth(_ words: [Word]) -> Double? {
        let widths = words.map { Double($0.box.width) / Double($0.text.count) }.sorted()
        guard !widths.isEmpty else { return nil }
        return max(1, widths[widths.count / 2])
    }

    /// Groups of rows, each of which may be a table.
    private static func groups(_ rows: [TableRow]) -> [[TableRow]] {
        let pitches = zip(rows, rows.dropFirst()).map { $1.middle - $0.middle }.sorted()
        let pitch = pitches.isEmpty ? 0 : pitches[pitches.count / 2]
        var groups: [[TableRow]] = []
        var group: [TableRow] = []
        var headings = 0
        for row in rows {
            let isApart = group.last.map { row.middle - $0.middle > widestGap * pitch } ?? false
            headings = row.pieces.count < 2 ? headings + 1 : 0
            if isApart || headings > mostHeadings {
                groups.append(group)
                group = []
            }
            group.append(row)
        }
        return (groups + [group]).map(trimmed)
    }

    /// The rows without headings before and after them; but a heading directly above them may be
    /// the first column's title, and stays.
    private static func trimmed(_ rows: [TableRow]) -> [TableRow] {
        guard let first = rows.firstIndex(where: { $0.pieces.count > 1 }),
            let last = rows.lastIndex(where: { $0.pieces.count > 1 })
        else { return [] }
        return Array(rows[first...last])
    }

    private static func table(_ rows: [TableRow]) -> TextTable? {
        guard rows.count(where: { $0.pieces.count > 1 }) >= fewestRows else { return nil }
        let columns = TableColumns(rows)
        guard columns.ranges.count > 1 else { return nil }
        var cells: [[[TableRow.Piece]]] = []
        for row in rows {
            var filled = [[TableRow.Piece]](repeating: [], count: columns.ranges.count)
            for piece in row.pieces { filled[columns.column(of: piece)].append(piece) }
            cells.append(filled)
        }
        let isTable = cells.count { row in row.count { !$0.isEmpty } > 1 } >= fewestRows
        guard isTable, !isProse(cells),
            let box = Box(around: rows.flatMap(\.pieces).flatMap(\.words).map(\.box))
        else { return nil }
        return TextTable(
            rows: cells.map { $0.map { $0.map(\.text).joined(separator: " ") } }, box: box)
    }

    /// True if more than half of the columns have running text.
    private static func isProse(_ cells: [[[TableRow.Piece]]]) -> Bool {
        let columns = cells[0].indices.map { column in
            cells.map { row in row[column].reduce(0) { $0 + $1.words.count } }.filter { $0 > 0 }
        }
        let prose = columns.count { lengths in
            Double(lengths.reduce(0, +)) > fewWords * Double(max(1, lengths.count))
        }
        return 2 * prose > columns.count || prose == columns.count
    }
}
