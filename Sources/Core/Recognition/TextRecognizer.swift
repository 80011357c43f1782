public import Documents
public import Imaging

/// Reads the text on a picture.
public protocol TextRecognizer: Sendable {
    /// Reads `image`, which should be upright; boxes are in its pixels.
    ///
    /// - Throws: ``RecognitionError``; `CancellationError`.
    func recognize(_ image: Raster, languages: [String]) async throws -> PageText

    /// Reads a picture whose text is known to be laid out in one way.
    ///
    /// - Throws: as ``recognize(_:languages:)``.
    func recognize(_ image: Raster, languages: [String], layout: TextLayout) async throws
        -> PageText

    /// Which way up a picture is, by the shapes of its letters, whatever their script; nil when
    /// there are too few.
    ///
    /// Slow, up to a second; meant for pages of which a cheaper measure is unsure.
    ///
    /// - Throws: as ``recognize(_:languages:)``.
    func detectOrientation(_ image: Raster) async throws -> OrientationGuess?

    /// Gets ready for pages in these languages, so that the first of them need not wait; returns
    /// immediately.
    func prewarm(languages: [String])

    /// The reader of that name, or the usual one for nil.
    ///
    /// - Throws: ``RecognitionError`` `readerMissing`.
    func reader(_ name: String?) throws(RecognitionError) -> any TextRecognizer
}

extension TextRecognizer {
    /// By default nil, because not every reader knows letters by their shapes.
    public func detectOrientation(_ image: Raster) async throws -> OrientationGuess? { nil }

    /// Does nothing by default, because not every reader has something to get ready.
    public func prewarm(languages: [String]) {}

    /// Itself: a single reader offers no choice.
    public func reader(_ name: String?) throws(RecognitionError) -> any TextRecognizer { self }

    /// Reads the picture like any other, for readers that know no layouts.
    public func recognize(
        _ image: Raster, languages: [String], layout: TextLayout
    ) async throws -> PageText {
        try await recognize(image, languages: languages)
    }
}

/// How the text on a picture is laid out, as far as that is known before it is read.
public enum TextLayout: String, Codable, CaseIterable, Hashable, Sendable {
    /// Nothing is known: columns, pictures and tables are looked for.
    case any
    /// One block of lines that reach across the picture; numbers in the margin belong to their
    /// lines.
    case block
    /// Words anywhere, without lines that reach across: the cells of tables, forms, labels.
    case sparse
    /// One line.
    case line
    /// One line of capital letters and digits that don't form words, such as a serial number.
    case code
}

/// Why a page could not be read.
public struct RecognitionError: Error, Hashable, Sendable {
    /// What sort of failure it is.
    public enum Code: Hashable, Sendable {
        /// A language's data is not installed.
        case languageMissing
        /// No reader of that name can be used.
        case readerMissing
        /// The helper process ended or hung on this page, twice.
        case helperFailed
        /// The engine refused the picture.
        case engineFailed
    }

    /// What sort of failure it is.
    public let code: Code
    /// What failed and what to do next, for people.
    public let message: String

    /// The text that could be read nevertheless, with more errors than usual; nil if there is none.
    public let text: PageText?

    /// An error for people to read.
    public init(_ code: Code, _ message: String, text: PageText? = nil) {
        self.code = code
        self.message = message
        self.text = text
    }
}
