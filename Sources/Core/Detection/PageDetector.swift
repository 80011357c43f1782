public import Imaging

/// Finds a page in a picture.
public protocol PageDetector: Sendable {
    /// The page's place; nil when none is found, or when the page fills the whole picture.
    ///
    /// - Parameter image: a photograph or scan, in any form, of any size.
    /// - Throws: an error when the picture could not be examined; finding nothing is not an error.
    func detect(in image: Raster) throws -> DetectedPage?

    /// A slower and more reliable ``detect(in:)``, for a picture that is searched only once, or
    /// whose first result is uncertain.
    ///
    /// By default, it calls ``detect(in:)``.
    ///
    /// - Throws: the errors of ``detect(in:)``.
    func detectClosely(in image: Raster) throws -> DetectedPage?
}

extension PageDetector {
    /// The default: the result of ``detect(in:)``.
    public func detectClosely(in image: Raster) throws -> DetectedPage? { try detect(in: image) }
}

/// A page that was found in a picture.
public struct DetectedPage: Hashable, Sendable {
    /// The corners in pixels of the picture at full size, clockwise from the top left as seen.
    public var quad: Quad
    /// The confidence of the detection, 0…1.
    public var confidence: Double

    /// A page at `quad`.
    public init(quad: Quad, confidence: Double) {
        self.quad = quad
        self.confidence = confidence
    }
}
