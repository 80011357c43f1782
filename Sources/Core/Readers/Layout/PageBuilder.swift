import Documents

/// Combines lines into paragraphs, and paragraphs into blocks; leaves out empty ones.
///
/// Each box is the smallest around its words.
struct PageBuilder {
    private var blocks: [TextBlock] = []
    private var paragraphs: [Paragraph] = []
    private var lines: [TextLine] = []

    /// Adds a line to the paragraph.
    mutating func add(_ line: TextLine) { lines.append(line) }

    /// Ends the paragraph.
    mutating func endParagraph() {
        if let box = Box(around: lines.map(\.box)) {
            paragraphs.append(Paragraph(lines: lines, box: box))
        }
        lines = []
    }

    /// Ends the block and its last paragraph.
    mutating func endBlock() {
        endParagraph()
        if let box = Box(around: paragraphs.map(\.box)) {
            blocks.append(TextBlock(paragraphs: paragraphs, box: box))
        }
        paragraphs = []
    }

    /// Ends the page.
    mutating func finish() -> [TextBlock] {
        endBlock()
        return blocks
    }
}
