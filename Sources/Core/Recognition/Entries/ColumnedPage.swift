import Documents

/// A page's lines in reading order, column by column, made from the words that were read.
///
/// The reader's own lines may extend across two columns, or separate a number in the margin.
struct ColumnedPage {
    let number: Int
    let height: Int
    /// The lines in reading order: those above both columns, the left column, the right column,
    /// those below.
    private(set) var lines: [PrintedLine]
    /// The usual size of type in pixels.
    let em: Double

    init(_ page: Page) {
        number = page.number
        height = page.height
        let read = (page.text?.lines ?? []).compactMap {
            PrintedLine($0.words.filter(Self.isPrint), page: page.number)
        }
        em = PrintedLine.median(read.flatMap { line in line.words.map { _ in line.em } }) ?? 1
        lines = Self.arranged(read, em: em, page: page.number)
    }

    /// The same page without some of its lines and with the same columns.
    func without(_ isDropped: (PrintedLine) -> Bool) -> ColumnedPage {
        var page = self
        page.lines.removeAll(where: isDropped)
        return page
    }

    /// False for a speck that was mistaken for a letter.
    private static func isPrint(_ word: Word) -> Bool {
        word.text.contains { $0.isLetter || $0.isNumber || "§©€¢".contains($0) }
            || word.confidence >= 0.6 && word.text.allSatisfy { "-–—&+%=()".contains($0) }
    }

    private static func isText(_ words: [Word]) -> Bool {
        words.contains { $0.text.contains { $0.isLetter || $0.isNumber || $0 == "§" } }
    }

    // MARK: Columns

    private static func arranged(
        _ read: [PrintedLine], em: Double, page: Int
    ) -> [PrintedLine] {
        guard let gutter = gutter(read, em: em) else {
            return placed(joined(read, em: em, page: page), column: 0)
        }
        var sides: [[PrintedLine]] = [[], []]
        var across: [PrintedLine] = []
        for line in read {
            let left = line.words.filter { $0.box.x + $0.box.width / 2 < gutter }
            let right = line.words.filter { $0.box.x + $0.box.width / 2 >= gutter }
            guard let last = left.last, let first = right.first else {
                sides[left.isEmpty ? 1 : 0].append(line)
                continue
            }
            // A side that has only single marks has specks beside the column.
            guard isText(left), isText(right) else {
                let text = isText(right) ? right : left
                sides[isText(right) ? 1 : 0] += [PrintedLine(text, page: page)].compactMap { $0 }
                continue
            }
            if Double(first.box.x - last.box.right) < em {
                across.append(line)
            } else {
                sides[0] += [PrintedLine(left, page: page)].compactMap { $0 }
                sides[1] += [PrintedLine(right, page: page)].compactMap { $0 }
            }
        }
        let columns = sides.enumerated().map { index, lines in
            placed(joined(lines, em: em, page: page), column: index + 1)
        }
        // A line across both columns divides the page: the parts above it are read before, and
        // those below after.
        var result: [PrintedLine] = []
        var top = Int.min
        for line in placed(joined(across, em: em, page: page), column: 0) + [nil] as [PrintedLine?]
        {
            let end = line?.box.y ?? Int.max
            for column in columns {
                result += column.filter { $0.box.y >= top && $0.box.y < end }
            }
            if let line { result.append(line) }
            top = end
        }
        return result
    }

    /// The boundary of two columns, in pixels from the left; nil for one column.
    ///
    /// The boundary crosses few words, at most ten in a hundred lines, and at least a fifth of all
    /// words are on either side.
    private static func gutter(_ lines: [PrintedLine], em: Double) -> Int? {
        guard lines.count >= 12, let all = Box(around: lines.map(\.box)) else { return nil }
        let words = lines.flatMap(\.words)
        var crossing = [Int](repeating: 0, count: all.width + 1)
        for word in words {
            crossing[max(0, word.box.x - all.x)] += 1
            crossing[min(all.width, word.box.right - all.x)] -= 1
        }
        for x in 1..<crossing.count { crossing[x] += crossing[x - 1] }
        let allowed = lines.count / 10
        var best: Range<Int>?
        var start: Int?
        for x in all.width / 4...all.width * 3 / 4 {
            if crossing[x] <= allowed {
                start = start ?? x
                let run = start!..<x + 1
                if run.count > best?.count ?? 0 { best = run }
            } else {
                start = nil
            }
        }
        guard let best, Double(best.count) >= 0.8 * em else { return nil }
        // Numbers may be in the margin of the second column. So the boundary is the first strip
        // after the first column's right edge that is nearly as empty as the emptiest one. Two
        // words in it may be specks.
        let least = crossing[best].min() ?? 0
        guard
            let clear = strip(in: best, atLeast: Int(0.6 * em), { crossing[$0] <= least + 2 })
        else { return nil }
        let middle = all.x + clear.lowerBound + min(clear.count / 2, Int(0.4 * em))
        let left = words.count { $0.box.x + $0.box.width / 2 < middle }
        guard left * 5 >= words.count, (words.count - left) * 5 >= words.count else { return nil }
        return middle
    }

    /// The first run of at least this many clear places.
    private static func strip(
        in range: Range<Int>, atLeast count: Int, _ isClear: (Int) -> Bool
    ) -> Range<Int>? {
        var start = range.lowerBound
        for x in range where !isClear(x) {
            if x - start >= count, x > start { return start..<x }
            start = x + 1
        }
        return range.upperBound - start >= max(1, count) ? start..<range.upperBound : nil
    }

    /// Joins lines that are side by side; the result is sorted from top to bottom.
    private static func joined(_ lines: [PrintedLine], em: Double, page: Int) -> [PrintedLine] {
        var result: [PrintedLine] = []
        for line in lines.sorted(by: { $0.baseline < $1.baseline }) {
            let same = result.indices.suffix(4).last { index in
                let other = result[index]
                return other.box.rowsShared(with: line.box) >= 0.6
                    && (other.baseline - line.baseline).magnitude < 0.4 * em
                    && (other.box.right <= line.box.x || line.box.right <= other.box.x)
            }
            if let same, let whole = PrintedLine(result[same].words + line.words, page: page) {
                result[same] = whole
            } else {
                result.append(line)
            }
        }
        return result
    }

    private static func placed(_ lines: [PrintedLine], column: Int) -> [PrintedLine] {
        let lefts = lines.map(\.box.x).sorted()
        let rights = lines.map(\.box.right).sorted()
        guard let first = lefts.first, let last = rights.last else { return [] }
        // A speck beside the column is not part of its edge.
        let left = lefts.count >= 8 ? lefts[lefts.count / 20] : first
        let right = rights.count >= 8 ? rights[rights.count - 1 - rights.count / 20] : last
        return lines.map { line in
            var line = line
            line.column = column
            line.edges = left...max(left, right)
            return line
        }
    }
}
