import Documents

/// Puts words together to lines, lines to paragraphs, and paragraphs to blocks; what stays empty is
/// left out.
///
/// Each box is the smallest that holds the words in it.
struct PageBuilder {
    private var blocks: [TextBlock] = []
    private var paragraphs: [Paragraph] = []
    private var lines: [TextLine] = []
    private var words: [Word] = []
    private var baseline: Baseline?

    /// Adds a word to the line.
    mutating func add(_ word: Word) { words.append(word) }

    /// Ends the line before, if any, and begins one on `baseline`.
    mutating func beginLine(_ baseline: Baseline?) {
        endLine()
        self.baseline = baseline
    }

    /// Ends the paragraph and its last line.
    mutating func endParagraph() {
        endLine()
        if let box = enclosing(lines.map(\.box)) {
            paragraphs.append(Paragraph(lines: lines, box: box))
        }
        lines = []
    }

    /// Ends the block and its last paragraph.
    mutating func endBlock() {
        endParagraph()
        if let box = enclosing(paragraphs.map(\.box)) {
            blocks.append(TextBlock(paragraphs: paragraphs, box: box))
        }
        paragraphs = []
    }

    /// Ends the page.
    mutating func finish() -> [TextBlock] {
        endBlock()
        return blocks
    }

    private mutating func endLine() {
        if let box = enclosing(words.map(\.box)) {
            lines.append(TextLine(words: words, box: box, baseline: baseline))
        }
        words = []
        baseline = nil
    }
}

/// The smallest box around `boxes`, nil when there are none.
private func enclosing(_ boxes: [Box]) -> Box? {
    guard let first = boxes.first else { return nil }
    return boxes.dropFirst().reduce(first) { all, box in
        let x = min(all.x, box.x)
        let y = min(all.y, box.y)
        return Box(
            x: x, y: y, width: max(all.x + all.width, box.x + box.width) - x,
            height: max(all.y + all.height, box.y + box.height) - y)
    }
}
