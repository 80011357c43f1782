/// A page's own text, such as that of a PDF: words with their places, in reading order.
public struct FrameText: Codable, Hashable, Sendable {
    /// The words in reading order; at most 100,000.
    public var words: [Word]
    /// True when the page may show more text than these words, as a scan with a stamped number
    /// does.
    public var isPartial: Bool

    /// A page's own text; complete unless specified otherwise.
    public init(words: [Word], isPartial: Bool = false) {
        self.words = words
        self.isPartial = isPartial
    }

    /// A word and its place.
    public struct Word: Codable, Hashable, Sendable {
        /// The letters, 1 to 1,000 bytes without control characters.
        public var text: String
        /// Left edge, top edge, width and height in the frame's pixels.
        ///
        /// The box is within the frame, and neither side is 0.
        public var box: [Int]
        /// The end that coincides with the word's: of a line or a paragraph; nil for neither.
        public var ends: End?

        /// A word at `x`, `y`.
        public init(
            text: String, x: Int, y: Int, width: Int, height: Int, ends: End? = nil
        ) {
            self.text = text
            box = [x, y, width, height]
            self.ends = ends
        }
    }

    /// The end that a word may have.
    public enum End: String, Codable, Hashable, Sendable {
        /// A line.
        case line
        /// A line that is the last one of a paragraph.
        case block
    }

    /// The maximum number of words of a page.
    package static let mostWords = 100_000

    /// The error in a word of a frame; nil if it is valid.
    package static func fault(_ word: Word, in frame: FrameDescription) -> String? {
        guard (1...1_000).contains(word.text.utf8.count),
            word.text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return "a word that is not 1 to 1,000 bytes of letters" }
        guard word.box.count == 4 else { return "a box of \(word.box.count) numbers" }
        let sides = 1...FrameDescription.longestSide
        let (x, y, width, height) = (word.box[0], word.box[1], word.box[2], word.box[3])
        guard x >= 0, y >= 0, sides.contains(width), sides.contains(height),
            x <= frame.width - width,
            y <= (frame.height ?? FrameDescription.longestSide) - height
        else { return "a word at \(word.box), outside its frame" }
        return nil
    }
}
