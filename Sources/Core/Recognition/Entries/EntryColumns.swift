public import Documents

/// The columns of a page that are best read again, each as one block of lines, and the page's text
/// with the new readings.
///
/// A reader that looks for columns leaves out short numbers in the margin; if it knows that a
/// column is one block, it reads every line completely.
public struct EntryColumns: Sendable {
    /// The columns from left to right, with their margins, in pixels of the page.
    public let boxes: [Box]
    private let page: ColumnedPage
    private let text: PageText

    /// The columns of a page's text; nil when there are no certain ones.
    public init?(of page: Page) {
        guard let text = page.text else { return nil }
        self.text = text
        let printed = ColumnedPage(page)
        self.page = printed
        let across = printed.lines.filter { $0.column == 0 }
        let columns = [1, 2].map { side in printed.lines.filter { $0.column == side } }
        let em = printed.em
        if columns[0].isEmpty || columns[1].isEmpty {
            guard across.count >= 3, let all = Box(around: across.map(\.box)) else { return nil }
            let rows = Self.rows(all, em, page.height)
            boxes = [Box(x: 0, y: rows.lowerBound, width: page.width, height: rows.count)]
            return
        }
        guard let all = Box(around: (columns[0] + columns[1]).map(\.box)) else { return nil }
        let rows = Self.rows(all, em, page.height)
        // A line across both columns with column text above and below would be cut.
        guard !across.contains(where: { $0.box.bottom > all.y && $0.box.y < all.bottom }) else {
            return nil
        }
        let edge = min(page.width - 1, columns[0][0].edges.upperBound + Int(0.4 * em))
        guard edge > 0 else { return nil }
        boxes = [
            Box(x: 0, y: rows.lowerBound, width: edge, height: rows.count),
            Box(x: edge, y: rows.lowerBound, width: page.width - edge, height: rows.count),
        ]
    }

    private static func rows(_ all: Box, _ em: Double, _ height: Int) -> Range<Int> {
        let top = max(0, all.y - Int(em / 2))
        return top..<max(top + 1, min(height, all.bottom + Int(em / 2)))
    }

    /// The page's text with the new readings of its columns, each in pixels of its box.
    ///
    /// A column keeps its first reading if the new one has less text.
    public func text(with readings: [PageText]) -> PageText {
        var blocks: [TextBlock] = []
        var kept: [PrintedLine] = []
        for (box, reading) in zip(boxes, readings) {
            let before = page.lines.filter { line in
                (boxes.count == 1 || line.column != 0)
                    && line.box.x + line.box.width / 2 >= box.x
                    && line.box.x + line.box.width / 2 < box.right
            }
            if Self.letters(reading.words) * 10 >= Self.letters(before.flatMap(\.words)) * 9 {
                blocks += reading.blocks.map { $0.moved(x: box.x, y: box.y) }
            } else {
                kept += before
            }
        }
        if boxes.count > 1 { kept += page.lines.filter { $0.column == 0 } }
        blocks = kept.map(\.block) + blocks
        return PageText(blocks: blocks, languages: text.languages)
    }

    private static func letters(_ words: [Word]) -> Int {
        words.reduce(0) { $0 + $1.text.count(where: { $0.isLetter || $0.isNumber }) }
    }
}

extension PrintedLine {
    /// The line as a separate block.
    fileprivate var block: TextBlock {
        let line = TextLine(words: words, box: box)
        return TextBlock(paragraphs: [Paragraph(lines: [line], box: box)], box: box)
    }
}

extension Box {
    fileprivate func moved(x: Int, y: Int) -> Box {
        Box(x: self.x + x, y: self.y + y, width: width, height: height)
    }
}

extension TextBlock {
    /// The block moved right by `x` and down by `y` pixels.
    func moved(x: Int, y: Int) -> TextBlock {
        TextBlock(
            paragraphs: paragraphs.map { paragraph in
                Paragraph(
                    lines: paragraph.lines.map { line in
                        TextLine(
                            words: line.words.map {
                                Word(
                                    text: $0.text, box: $0.box.moved(x: x, y: y),
                                    confidence: $0.confidence)
                            }, box: line.box.moved(x: x, y: y),
                            baseline: line.baseline.map {
                                Baseline(
                                    x1: $0.x1 + x, y1: $0.y1 + y, x2: $0.x2 + x, y2: $0.y2 + y)
                            })
                    }, box: paragraph.box.moved(x: x, y: y))
            }, box: box.moved(x: x, y: y))
    }
}
