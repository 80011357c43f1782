import Documents

/// Puts lines in reading order by their places: one column after the other, and other lines side by
/// side row by row.
enum ReadingOrder {
    /// The minimum number of lines in each of two columns.
    private static let fewestLines = 4
    /// The minimum fraction of a column's width that its lines fill on average: cells of tables
    /// fill less.
    private static let fill = 0.55

    /// Divides lines into blocks.
    static func blocks(of lines: [TextLine]) -> [TextBlock] {
        var builder = PageBuilder()
        for column in columns(of: lines) {
            var before: TextLine?
            for line in rows(of: column) {
                if let before, isApart(before, line) { builder.endParagraph() }
                builder.add(line)
                before = line
            }
            builder.endBlock()
        }
        return builder.finish()
    }

    /// The lines, split at gutters that separate columns of prose.
    private static func columns(of lines: [TextLine]) -> [[TextLine]] {
        guard lines.count >= 2 * fewestLines, let gutter = gutter(of: lines) else {
            return lines.isEmpty ? [] : [lines]
        }
        let left = lines.filter { $0.box.x + $0.box.width <= gutter }
        let right = lines.filter { $0.box.x + $0.box.width > gutter }
        return columns(of: left) + columns(of: right)
    }

    /// The right end of the left one of two columns of prose, with a gutter after it; nil for no
    /// gutter.
    private static func gutter(of lines: [TextLine]) -> Int? {
        let byStart = lines.sorted { $0.box.x < $1.box.x }
        var end = 0
        for (index, line) in byStart.enumerated() {
            defer { end = max(end, line.box.x + line.box.width) }
            guard index >= fewestLines, byStart.count - index >= fewestLines, line.box.x > end,
                isProse(byStart[..<index]), isProse(byStart[index...])
            else { continue }
            return end
        }
        return nil
    }

    /// True if lines fill their common width.
    private static func isProse(_ lines: ArraySlice<TextLine>) -> Bool {
        guard let box = Box(around: lines.map(\.box)), box.width > 0 else { return false }
        let mean = Double(lines.reduce(0) { $0 + $1.box.width }) / Double(lines.count)
        return mean > fill * Double(box.width)
    }

    /// The lines from top to bottom, with those side by side joined.
    private static func rows(of lines: [TextLine]) -> [TextLine] {
        var rows: [[TextLine]] = []
        for line in lines.sorted(by: { $0.box.middle < $1.box.middle }) {
            if let last = rows.last, let anchor = last.first, shareRow(anchor.box, line.box),
                !last.contains(where: { overlapAcross($0.box, line.box) })
            {
                rows[rows.count - 1].append(line)
            } else {
                rows.append([line])
            }
        }
        return rows.map(joined)
    }

    /// True if the middle of each box is within the height of the other.
    private static func shareRow(_ one: Box, _ other: Box) -> Bool {
        let apart = abs(one.middle - other.middle)
        return 2 * apart < Double(min(one.height, other.height))
    }

    private static func overlapAcross(_ one: Box, _ other: Box) -> Bool {
        one.x < other.x + other.width - other.height / 2
            && other.x < one.x + one.width - one.height / 2
    }

    private static func joined(_ row: [TextLine]) -> TextLine {
        guard row.count > 1, let box = Box(around: row.map(\.box)) else { return row[0] }
        let words = row.sorted { $0.box.x < $1.box.x }.flatMap(\.words)
        return TextLine(words: words, box: box)
    }

    /// True if a paragraph ends between two lines: a gap larger than a line is tall.
    private static func isApart(_ upper: TextLine, _ lower: TextLine) -> Bool {
        lower.box.y - (upper.box.y + upper.box.height) > max(upper.box.height, lower.box.height)
    }
}
