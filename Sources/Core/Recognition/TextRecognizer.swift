public import Documents
public import Imaging

/// Reads the text on a picture.
public protocol TextRecognizer: Sendable {
    /// Reads `image`, which should be upright; boxes are in its pixels.
    ///
    /// - Throws: ``RecognitionError``; `CancellationError`.
    func recognize(_ image: Raster, languages: [String]) async throws -> PageText

    /// Reads a picture whose text has a known layout.
    ///
    /// - Throws: the errors of ``recognize(_:languages:)``.
    func recognize(_ image: Raster, languages: [String], layout: TextLayout) async throws
        -> PageText

    /// The orientation of a picture, by the shapes of its letters in any script; nil when there are
    /// too few letters.
    ///
    /// It takes up to a second, and is for pages about which a quicker method is unsure.
    ///
    /// - Throws: the errors of ``recognize(_:languages:)``.
    func detectOrientation(_ image: Raster) async throws -> OrientationGuess?

    /// Prepares for pages in these languages, so that the first page need not wait; returns
    /// immediately.
    func prewarm(languages: [String])

    /// The reader with that name; nil for the default reader.
    ///
    /// - Throws: ``RecognitionError`` `readerMissing`.
    func reader(_ name: String?) throws(RecognitionError) -> any TextRecognizer
}

extension TextRecognizer {
    /// Returns nil by default, because not every reader knows letters by their shapes.
    public func detectOrientation(_ image: Raster) async throws -> OrientationGuess? { nil }

    /// Does nothing by default, because not every reader must prepare.
    public func prewarm(languages: [String]) {}

    /// Returns this reader by default, which is the only choice.
    public func reader(_ name: String?) throws(RecognitionError) -> any TextRecognizer { self }

    /// Reads the picture without using the layout, by default.
    public func recognize(
        _ image: Raster, languages: [String], layout: TextLayout
    ) async throws -> PageText {
        try await recognize(image, languages: languages)
    }
}

/// The layout of a picture's text, as far as it is known before reading.
public enum TextLayout: String, Codable, CaseIterable, Hashable, Sendable {
    /// The layout is unknown: the reader looks for columns, pictures and tables.
    case any
    /// One block of lines across the picture; numbers in the margin belong to their lines.
    case block
    /// Words anywhere, without long lines: the cells of tables, forms, labels.
    case sparse
    /// One line.
    case line
    /// One line of capital letters and digits that don't form words, such as a serial number.
    case code
}

/// The reason why a page could not be read.
public struct RecognitionError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// A language's data is not installed.
        case languageMissing
        /// No usable reader has that name.
        case readerMissing
        /// The helper process ended or hung on this page, twice.
        case helperFailed
        /// The engine refused the picture.
        case engineFailed
    }

    /// The kind of failure.
    public let code: Code
    /// The failure and the advice, for people.
    public let message: String

    /// The text that could be read with more errors than usual; nil for none.
    public let text: PageText?

    /// An error with a message for people.
    public init(_ code: Code, _ message: String, text: PageText? = nil) {
        self.code = code
        self.message = message
        self.text = text
    }
}
