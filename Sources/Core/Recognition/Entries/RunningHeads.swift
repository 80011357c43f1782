import Documents

/// Finds running heads and page numbers, which are at the top and bottom of pages and not part of
/// the text.
struct RunningHeads {
    /// A row at the top or bottom of a page, across all columns.
    private struct Row {
        let page: Int
        let isTop: Bool
        /// The distance from the page's top, as a fraction of its height.
        let place: Double
        let text: String
        let letters: String
        /// The numbers at the row's beginning and end.
        let numbers: [Int]
        let lines: [PrintedLine]
        /// True when the text is more than two lines away.
        let isApart: Bool
        let isSmall: Bool
    }

    /// The pages without their running heads and page numbers.
    static func removed(from pages: [ColumnedPage]) -> [ColumnedPage] {
        let rows = pages.flatMap(rows)
        let heads = rows.filter { row in
            if isPageNumber(row.text) { return true }
            // A page number may be misread.
            if row.letters.count <= 5, row.isApart,
                rows.contains(where: { isBeside(row, $0) && isPageNumber($0.text) })
            {
                return true
            }
            if rows.contains(where: { repeats(row, $0) }) { return true }
            if rows.contains(where: { isNumberedLike(row, $0) }) { return true }
            return pages.count == 1 && row.isApart && row.isSmall
        }
        return pages.map { page in
            let dropped = heads.filter { $0.page == page.number }.flatMap(\.lines)
            return page.without { line in
                dropped.contains { $0.box == line.box && $0.column == line.column }
            }
        }
    }

    /// The two topmost and the two lowest rows of a page.
    private static func rows(_ page: ColumnedPage) -> [Row] {
        var all: [[PrintedLine]] = []
        for line in page.lines.sorted(by: { $0.baseline < $1.baseline }) {
            if let last = all.last?.last,
                (last.baseline - line.baseline).magnitude < 0.5 * page.em
            {
                all[all.count - 1].append(line)
            } else {
                all.append([line])
            }
        }
        let baselines = all.map { $0.reduce(0) { $0 + $1.baseline } / Double($0.count) }
        let steps = zip(baselines.dropFirst(), baselines).map { $0 - $1 }
        let pitch = PrintedLine.median(steps) ?? page.em
        let indices = Set([0, 1, all.count - 2, all.count - 1].filter(all.indices.contains))
        return indices.sorted().map { index in
            let lines = all[index].sorted { $0.box.x < $1.box.x }
            let text = lines.map(\.text).joined(separator: " ")
            let words = lines.flatMap(\.words).map(\.text)
            let isTop = index * 2 < all.count
            let step = isTop ? steps.dropFirst(index).first : steps.prefix(index).last
            return Row(
                page: page.number, isTop: isTop,
                place: baselines[index] / Double(max(1, page.height)), text: text,
                letters: String(text.lowercased().filter(\.isLetter)),
                numbers: [words.first, words.last].compactMap { $0.flatMap { Int($0) } },
                lines: lines, isApart: (step ?? 0) > 1.6 * pitch,
                isSmall: lines.allSatisfy { $0.em < 0.95 * page.em })
        }
    }

    /// The number of pages on either side that are compared: running heads change with the chapter,
    /// and books are long.
    private static let reach = 8

    /// True if two rows are at the same place on nearby pages.
    private static func isBeside(_ row: Row, _ other: Row) -> Bool {
        row.page != other.page && (row.page - other.page).magnitude <= reach
            && row.isTop == other.isTop
            && (row.place - other.place).magnitude < 0.025
    }

    /// True if two rows have the same words at the same place on different pages.
    private static func repeats(_ row: Row, _ other: Row) -> Bool {
        isBeside(row, other) && row.letters.count >= 3
            && Likeness.of(row.letters, other.letters) >= 0.8
    }

    /// True if the numbers of two rows differ by as much as their pages.
    private static func isNumberedLike(_ row: Row, _ other: Row) -> Bool {
        isBeside(row, other)
            && row.numbers.contains { number in
                other.numbers.contains { $0 - number == other.page - row.page }
            }
    }

    /// True if a text is only a number, without a period after it: `12`, `- 12 -`, `Page 12`,
    /// `12/40`, `xiv`.
    static func isPageNumber(_ text: String) -> Bool {
        let words = text.lowercased().split { " -–—~_|/·•*".contains($0) }.map(String.init)
        let named = ["page", "p.", "seite", "s.", "pagina", "of", "von", "pág."]
        let rest = words.filter { !named.contains($0) }
        guard (1...2).contains(rest.count) else { return false }
        if rest.allSatisfy({ $0.count <= 4 && $0.allSatisfy(\.isNumber) }) { return true }
        return words.count == 1 && rest[0].count <= 6 && rest[0].allSatisfy { "ivxl".contains($0) }
    }
}

/// Compares two short texts.
enum Likeness {
    /// 1 for the same text, 0 for nothing in common: 1 less the fraction of the longer text's
    /// letters that differ.
    static func of(_ one: String, _ other: String) -> Double {
        let (a, b) = (
            Array(one.unicodeScalars.prefix(200)), Array(other.unicodeScalars.prefix(200))
        )
        guard !a.isEmpty, !b.isEmpty else { return a.isEmpty && b.isEmpty ? 1 : 0 }
        var row = Array(0...b.count)
        for i in 1...a.count {
            var corner = row[0]
            row[0] = i
            for j in 1...b.count {
                let changed = corner + (a[i - 1] == b[j - 1] ? 0 : 1)
                corner = row[j]
                row[j] = min(changed, row[j] + 1, row[j - 1] + 1)
            }
        }
        return 1 - Double(row[b.count]) / Double(max(a.count, b.count))
    }
}
