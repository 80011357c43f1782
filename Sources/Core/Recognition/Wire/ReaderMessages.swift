/// The host's requests to a reader; Docs/developers/ReaderProtocol.md describes each message.
package enum ReaderVerb: String, CaseIterable, Sendable {
    /// Asks for the reader's name and capabilities.
    case hello
    /// Loads the data for the languages, so that the first page need not wait.
    case prepare
    /// Reads the text of the picture whose descriptor comes with the message.
    case read
    /// Finds the orientation of the picture whose descriptor comes with the message.
    case orientation
}

/// The events of the reader protocol.
package enum ReaderEvent: String, CaseIterable, Sendable {
    /// A line of text that was read.
    case line
}

/// The version of the reader protocol that this code speaks.
package let readerProtocolVersion = 1

/// The fields of each message in the reader protocol, besides those of its header; unknown ones are
/// ignored.
package enum ReaderWire {
    /// The answer to `hello`.
    package struct HelloAnswer: Codable, Hashable, Sendable {
        /// The version of the reader protocol that the reader speaks.
        package var `protocol`: Int
        /// The reader's name for people.
        package var name: String
        /// The reader's version.
        package var version: String?
        /// The reader's languages, as ISO 639-2 codes such as `eng`; any language when absent.
        package var languages: [String]?
        /// The reader's capabilities besides reading upright print; unknown words are ignored.
        package var capabilities: [String]?

        package init(
            protocol: Int = readerProtocolVersion, name: String, version: String? = nil,
            languages: [String]? = nil, capabilities: [String]? = nil
        ) {
            self.protocol = `protocol`
            self.name = name
            self.version = version
            self.languages = languages
            self.capabilities = capabilities
        }
    }

    /// `prepare`, `read` and `orientation`.
    package struct Request: Codable, Sendable {
        /// The languages of the text, with the likeliest first.
        package var languages: [String]
        /// The picture whose descriptor comes with the message; none for `prepare`.
        package var picture: ReaderPicture?
        /// The layout of the text, for `read`; unknown when absent.
        package var layout: TextLayout?
        /// The time in milliseconds after which the reader should give up.
        package var milliseconds: Int
        /// True when the reader must not scale the picture; false when absent.
        package var keepsSize: Bool?

        package init(
            languages: [String], picture: ReaderPicture?, layout: TextLayout?, milliseconds: Int
        ) {
            self.languages = languages
            self.picture = picture
            self.layout = layout
            self.milliseconds = milliseconds
        }
    }

    /// The event `line`: words side by side, in reading order.
    package struct Line: Codable, Sendable {
        /// The number of the `read` request.
        package var reading: Int
        /// The words of the line; at least one.
        package var words: [Word]
        /// The letters' baseline: x and y of its left end, then of its right end.
        package var baseline: [Double]?
        /// The number of the line's block; lines of a block must follow each other.
        package var block: Int?
        /// The number of the line's paragraph; lines of a paragraph must follow each other.
        package var paragraph: Int?

        package init(
            reading: Int, words: [Word], baseline: [Double]? = nil, block: Int? = nil,
            paragraph: Int? = nil
        ) {
            self.reading = reading
            self.words = words
            self.baseline = baseline
            self.block = block
            self.paragraph = paragraph
        }
    }

    /// A word of a line.
    package struct Word: Codable, Sendable {
        package var text: String
        /// x and y of the word's four corners in pixels, clockwise from its top left.
        package var quad: [Double]
        /// The reader's confidence, 0…1.
        package var confidence: Double

        package init(text: String, quad: [Double], confidence: Double) {
            self.text = text
            self.quad = quad
            self.confidence = confidence
        }
    }

    /// The answer to `read`, after its lines.
    package struct ReadAnswer: Codable, Hashable, Sendable {
        /// The number of shapes on the picture that look like letters; nil when the reader does not
        /// count them.
        package var shapes: Int?
        /// The number of these shapes in places without a word.
        package var unread: Int?
        /// The number of words that were looked up in the language's dictionary; nil when the
        /// reader has none.
        package var lookedUp: Int?
        /// The number of these words in the dictionary.
        package var known: Int?

        package init(
            shapes: Int? = nil, unread: Int? = nil, lookedUp: Int? = nil, known: Int? = nil
        ) {
            self.shapes = shapes
            self.unread = unread
            self.lookedUp = lookedUp
            self.known = known
        }
    }

    /// The answer to `orientation`; both fields are absent when there are too few letters.
    package struct OrientationAnswer: Codable, Sendable {
        package var quarterTurns: Int?
        package var confidence: Double?

        package init(_ guess: OrientationGuess?) {
            quarterTurns = guess?.quarterTurns
            confidence = guess?.confidence
        }
    }
}

/// The form of a picture for a reader; the pixels are in the descriptor that comes with the
/// message, from its start.
package struct ReaderPicture: Codable, Hashable, Sendable {
    /// The longest side in pixels: engines use 16-bit numbers.
    package static let longestSide = 32_767
    /// The maximum number of pixels; an A3 page at 1200 dpi has 278 million.
    package static let mostPixels = 300_000_000

    /// The format of the pixels.
    package enum Format: String, Codable, CaseIterable, Sendable {
        /// One bit a pixel, the leftmost in the highest bit; 1 is black.
        case bilevel
        /// One byte a pixel; 0 is black.
        case gray8

        /// The bits in a pixel.
        package var depth: Int { self == .bilevel ? 1 : 8 }
    }

    package var width: Int
    package var height: Int
    package var format: Format
    /// The bytes from one row to the next: rows are padded to whole 32-bit words, as in leptonica.
    package var stride: Int
    /// Dots per inch; nil when unknown.
    package var resolution: Double?

    package init(width: Int, height: Int, format: Format, resolution: Double? = nil) {
        self.width = width
        self.height = height
        self.format = format
        self.resolution = resolution
        stride = (width * format.depth + 31) / 32 * 4
    }

    /// The bytes in all rows.
    package var byteCount: Int { stride * height }

    package var isValid: Bool {
        (1...Self.longestSide).contains(width) && (1...Self.longestSide).contains(height)
            && width * height <= Self.mostPixels
            && stride == (width * format.depth + 31) / 32 * 4
    }
}
