/// A word that was read on a page.
public struct Word: Codable, Hashable, Sendable {
    /// The word's letters.
    public var text: String
    /// The word's rectangle.
    public var box: Box
    /// The reader's confidence, 0…1.
    public var confidence: Double

    /// A word with its place and confidence.
    public init(text: String, box: Box, confidence: Double) {
        self.text = text
        self.box = box
        self.confidence = confidence
    }
}

extension Collection<Word> {
    /// The mean confidence of the words, 0…1; nil when there are none.
    public var meanConfidence: Double? {
        isEmpty ? nil : reduce(0) { $0 + $1.confidence } / Double(count)
    }
}

/// A line of words in reading order.
public struct TextLine: Codable, Hashable, Sendable {
    /// The words in reading order; at least one.
    public var words: [Word]
    /// The line's rectangle.
    public var box: Box
    /// The line's baseline; nil if unknown.
    public var baseline: Baseline?

    /// A line of words.
    public init(words: [Word], box: Box, baseline: Baseline? = nil) {
        self.words = words
        self.box = box
        self.baseline = baseline
    }
}

/// The straight baseline of a line of text, in pixels of the page's picture.
public struct Baseline: Codable, Hashable, Sendable {
    /// Left end, pixels from the left edge.
    public var x1: Int
    /// Left end, pixels from the top edge.
    public var y1: Int
    /// Right end, pixels from the left edge.
    public var x2: Int
    /// Right end, pixels from the top edge.
    public var y2: Int

    /// A baseline from (`x1`, `y1`) to (`x2`, `y2`).
    public init(x1: Int, y1: Int, x2: Int, y2: Int) {
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2
    }
}

/// Lines that belong together.
public struct Paragraph: Codable, Hashable, Sendable {
    /// The lines from top to bottom.
    public var lines: [TextLine]
    /// The paragraph's rectangle.
    public var box: Box

    /// A paragraph of lines.
    public init(lines: [TextLine], box: Box) {
        self.lines = lines
        self.box = box
    }
}

/// A column or other region of text.
public struct TextBlock: Codable, Hashable, Sendable {
    /// The paragraphs from top to bottom.
    public var paragraphs: [Paragraph]
    /// The block's rectangle.
    public var box: Box

    /// A block of paragraphs.
    public init(paragraphs: [Paragraph], box: Box) {
        self.paragraphs = paragraphs
        self.box = box
    }
}

/// The whole text of a page in reading order: top to bottom, column by column.
public struct PageText: Codable, Hashable, Sendable {
    /// The blocks in reading order.
    public var blocks: [TextBlock]
    /// The languages that the reader used, as ISO 639-2 codes such as `eng`.
    public var languages: [String]
    /// The evidence for and against the reading; nil for text that was changed, or was not read by
    /// Copystand.
    public var evidence: ReadingEvidence?

    /// A page's text, by default without evidence.
    public init(blocks: [TextBlock], languages: [String], evidence: ReadingEvidence? = nil) {
        self.blocks = blocks
        self.languages = languages
        self.evidence = evidence
    }

    /// Every line in reading order.
    public var lines: [TextLine] { blocks.flatMap { $0.paragraphs.flatMap(\.lines) } }

    /// Every word in reading order.
    public var words: [Word] { lines.flatMap(\.words) }

    /// The text for people: a newline ends a line, and an empty line ends a paragraph.
    public var plainText: String {
        blocks.flatMap(\.paragraphs).map { paragraph in
            paragraph.lines.map { $0.words.map(\.text).joinedAsLine() }
                .joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}
