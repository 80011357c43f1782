package import Documents

/// What the host asks of a helper.
///
/// A request that carries a picture is followed by its rows.
package struct HelperRequest: Codable, Sendable {
    package enum Verb: String, Codable {
        /// Load the languages' data, so that the first page does not wait for it.
        case prepare
        /// Read the text of the picture that follows.
        case read
        /// Find out how the picture that follows lies.
        case orientation
    }

    package var verb: Verb
    package var languages: [String]
    package var image: HelperImage?
    /// How the text lies; for ``Verb/read`` alone.
    package var layout: TextLayout
    /// How long the engine may take before it gives the page up by itself.
    package var milliseconds: Int
}

/// The form of a picture on its way to a helper.
///
/// Rows are padded to whole 32-bit words, as leptonica keeps them, so that the helper reads them
/// straight into place.
package struct HelperImage: Codable, Hashable, Sendable {
    /// The engine counts pixels in 16 bits.
    package static let longestSide = 32_767
    /// An A3 page at 1200 dpi has 278 million pixels.
    package static let mostPixels = 300_000_000

    package var width: Int
    package var height: Int
    /// 1 (1 is black) or 8 (0 is black).
    package var depth: Int
    package var resolution: Double?

    /// Bytes from one row to the next.
    package var stride: Int { (width * depth + 31) / 32 * 4 }
    /// Bytes of all rows.
    package var byteCount: Int { stride * height }

    package var isValid: Bool {
        (1...Self.longestSide).contains(width) && (1...Self.longestSide).contains(height)
            && width * height <= Self.mostPixels && (depth == 1 || depth == 8)
    }
}

/// What a helper answers; exactly one for each request.
package enum HelperAnswer: Codable, Sendable {
    case ready
    case text(PageText)
    /// Nil when there are too few letters to tell.
    case orientation(OrientationGuess?)
    case refused(String)
}
