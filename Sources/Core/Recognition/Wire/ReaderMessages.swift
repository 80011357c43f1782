/// What the host asks of a reader; Docs/developers/ReaderProtocol.md describes each message.
package enum ReaderVerb: String, CaseIterable, Sendable {
    /// What the reader is, and what it can do.
    case hello
    /// Load what the languages need, so that the first page does not wait for it.
    case prepare
    /// Read the text of the picture whose descriptor comes along.
    case read
    /// Find the orientation of the picture whose descriptor comes along.
    case orientation
}

/// The events of the reader protocol.
package enum ReaderEvent: String, CaseIterable, Sendable {
    /// A line of text that was read.
    case line
}

/// The version of the reader protocol that this code speaks.
package let readerProtocolVersion = 1

/// The fields of each message of the reader protocol besides those of its header; unknown ones are
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
        /// The languages it can read, as ISO 639-2 codes such as `eng`; any when absent.
        package var languages: [String]?
        /// What it can do beyond reading upright print; unknown words are ignored.
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
        /// The languages of the text, the likeliest first.
        package var languages: [String]
        /// The picture whose descriptor comes along; none for `prepare`.
        package var picture: ReaderPicture?
        /// How the text is laid out, for `read`; nothing is known when absent.
        package var layout: TextLayout?
        /// How long the reader may take before it should give up.
        package var milliseconds: Int
        /// True when the picture has the size at which it is to be read, however the reader scales
        /// other pictures; false when absent.
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

    /// The event `line`: words next to one another, in reading order.
    package struct Line: Codable, Sendable {
        /// The number of the `read` that it belongs to.
        package var reading: Int
        /// The words of the line; at least one.
        package var words: [Word]
        /// The line that the letters are on: x and y of its left end, then of its right.
        package var baseline: [Double]?
        /// The number of its block of text; lines of one block come one after the other.
        package var block: Int?
        /// The number of its paragraph; lines of one paragraph come one after the other.
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
        /// x and y of its four corners in pixels, clockwise from the top left of the word.
        package var quad: [Double]
        /// How sure the reader is, 0…1.
        package var confidence: Double

        package init(text: String, quad: [Double], confidence: Double) {
            self.text = text
            self.quad = quad
            self.confidence = confidence
        }
    }

    /// The answer to `read`, after its lines.
    package struct ReadAnswer: Codable, Hashable, Sendable {
        /// How many shapes on the picture look like letters, where the reader counts them.
        package var shapes: Int?
        /// How many of these shapes are at places where no word was read.
        package var unread: Int?

        package init(shapes: Int? = nil, unread: Int? = nil) {
            self.shapes = shapes
            self.unread = unread
        }
    }

    /// The answer to `orientation`; both are absent when there are too few letters to tell.
    package struct OrientationAnswer: Codable, Sendable {
        package var quarterTurns: Int?
        package var confidence: Double?

        package init(_ guess: OrientationGuess?) {
            quarterTurns = guess?.quarterTurns
            confidence = guess?.confidence
        }
    }
}

/// The form of a picture on its way to a reader, whose pixels are in the descriptor that comes
/// along, from its start.
package struct ReaderPicture: Codable, Hashable, Sendable {
    /// Engines count pixels in 16 bits.
    package static let longestSide = 32_767
    /// An A3 page at 1200 dpi has 278 million pixels.
    package static let mostPixels = 300_000_000

    /// How the pixels are kept.
    package enum Format: String, Codable, CaseIterable, Sendable {
        /// One bit a pixel, the leftmost in the highest bit; 1 is black.
        case bilevel
        /// One byte a pixel; 0 is black.
        case gray8

        /// Bits of a pixel.
        package var depth: Int { self == .bilevel ? 1 : 8 }
    }

    package var width: Int
    package var height: Int
    package var format: Format
    /// Bytes from one row to the next: rows are padded to whole 32-bit words, as leptonica keeps
    /// them.
    package var stride: Int
    /// Dots per inch, where they are known.
    package var resolution: Double?

    package init(width: Int, height: Int, format: Format, resolution: Double? = nil) {
        self.width = width
        self.height = height
        self.format = format
        self.resolution = resolution
        stride = (width * format.depth + 31) / 32 * 4
    }

    /// Bytes of all rows.
    package var byteCount: Int { stride * height }

    package var isValid: Bool {
        (1...Self.longestSide).contains(width) && (1...Self.longestSide).contains(height)
            && width * height <= Self.mostPixels
            && stride == (width * format.depth + 31) / 32 * 4
    }
}
