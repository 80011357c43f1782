/// Lines with aligned columns, as `devices` and `backends` print.
///
/// Cells are made safe for a terminal (``Sanitized``). A column is as wide as its widest cell, in
/// terminal columns. On a terminal, the widest columns are cut so that a row fits into a line;
/// elsewhere nothing is cut.
public struct Table: Sendable {
    private var columns: [Column]
    private var rows: [[String]] = []

    /// A column of a table.
    public struct Column: Hashable, Sendable {
        /// The column's heading.
        public var title: String
        /// True for numbers, which are aligned at their right.
        public var isAlignedRight: Bool
        /// The width that the column keeps even if the line is too narrow.
        public var minimumWidth: Int

        /// A column, aligned left unless specified otherwise.
        public init(_ title: String, isAlignedRight: Bool = false, minimumWidth: Int = 8) {
            self.title = title
            self.isAlignedRight = isAlignedRight
            self.minimumWidth = minimumWidth
        }
    }

    /// An empty table.
    public init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row; missing cells are empty, surplus ones are left out.
    public mutating func add(_ cells: [String]) {
        let padding = repeatElement("", count: max(0, columns.count - cells.count))
        rows.append(cells.prefix(columns.count).map(Sanitized.line) + padding)
    }

    /// The table as lines with line breaks; empty for a table without columns.
    public func text(for terminal: Terminal) -> String {
        guard !columns.isEmpty else { return "" }
        let widths = widths(within: terminal.isTerminal ? terminal.width : nil)
        let heading = line(columns.map(\.title), widths)
        let lines = [terminal.styled(heading, .bold)] + rows.map { line($0, widths) }
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var parts: [String] = []
        for (index, cell) in cells.enumerated() {
            let cut = cell.truncated(toWidth: widths[index])
            let isLast = index == cells.count - 1 && !columns[index].isAlignedRight
            parts.append(
                isLast
                    ? cut
                    : cut.padded(
                        toWidth: widths[index], alignedRight: columns[index].isAlignedRight))
        }
        var text = parts.joined(separator: "  ")
        while text.last == " " { text.removeLast() }
        return text
    }

    private func widths(within limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].displayWidth) }
        }
        guard let limit else { return widths }
        var surplus = widths.reduce(2 * (widths.count - 1), +) - limit
        while surplus > 0 {
            let shrinkable = widths.indices.filter { widths[$0] > columns[$0].minimumWidth }
            guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
            // The widest column shrinks, but not below the next widest, so that several columns
            // share the loss.
            let next = shrinkable.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
            let floor = max(columns[widest].minimumWidth, min(next, widths[widest] - 1))
            let cut = min(surplus, widths[widest] - floor)
            widths[widest] -= cut
            surplus -= cut
        }
        return widths
    }
}
