public import Imaging

/// Something that finds a page in a picture.
public protocol PageDetector: Sendable {
    /// Where the page is; nil when none is seen, or when the page fills the whole picture.
    ///
    /// - Parameter image: a photograph or scan, in any form, of any size.
    /// - Throws: an error when the picture could not be examined; finding nothing is not an error.
    func detect(in image: Raster) throws -> DetectedPage?

    /// The same, slower and more reliable: for a picture that is searched once, or one that a
    /// single look leaves in doubt.
    ///
    /// A detector that knows no closer look answers as ``detect(in:)`` does.
    ///
    /// - Throws: what ``detect(in:)`` throws.
    func detectClosely(in image: Raster) throws -> DetectedPage?
}

extension PageDetector {
    /// The result of one look.
    public func detectClosely(in image: Raster) throws -> DetectedPage? { try detect(in: image) }
}

/// A page that was found in a picture.
public struct DetectedPage: Hashable, Sendable {
    /// Its corners, in pixels of the picture at full size, clockwise from the top left as seen.
    public var quad: Quad
    /// How sure it is, 0…1.
    public var confidence: Double

    /// A page at `quad`.
    public init(quad: Quad, confidence: Double) {
        self.quad = quad
        self.confidence = confidence
    }
}
