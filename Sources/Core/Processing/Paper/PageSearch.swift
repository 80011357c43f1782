public import Detection
public import Imaging

/// Finds a photographed page and makes it rectangular: the one search that the crop step and
/// `copystand detect` share.
public struct PageSearch: PageDetector {
    private let target: Profile.Target
    private let detector: NetworkPageDetector

    /// A search for a page or a card.
    ///
    /// - Parameter target: what to look for, and to flatten to its known sizes.
    public init(for target: Profile.Target = .page) {
        self.target = target
        var detector = NetworkPageDetector()
        detector.shapes = Self.shapes(of: target)
        self.detector = detector
    }

    /// The shapes that a target has, each the longer side over the shorter; none if any shape is
    /// accepted.
    public static func shapes(of target: Profile.Target) -> [Double] {
        target == .card ? NetworkPageDetector.cardShapes : []
    }

    /// Where the page is, refined at full size; nil when none is seen, or when it fills the
    /// picture.
    ///
    /// - Throws: what ``PageDetector/detect(in:)`` throws.
    public func detect(in image: Raster) throws -> DetectedPage? {
        try detector.detect(in: image)
    }

    /// The same, examined closely: for a picture that is searched once.
    ///
    /// - Throws: what ``detect(in:)`` throws.
    public func detectClosely(in image: Raster) throws -> DetectedPage? {
        try detector.detectClosely(in: image)
    }

    /// Every page in view, examined closely, the likeliest first; at most 20.
    ///
    /// - Throws: what ``detect(in:)`` throws.
    public func detectAll(in image: Raster) throws -> [DetectedPage] {
        var close = detector
        close.looksClosely = true
        return try close.detectAll(in: image)
    }

    /// The page cut out of `image` as the rectangle that it is, with a known paper size if it is
    /// near one; nil when its shape makes no sense.
    ///
    /// - Throws: ``ImagingError`` when there is no memory for it.
    public func flattened(_ page: DetectedPage, in image: Raster) throws -> Raster? {
        try Flattening(photographed: page.quad, in: image, target: target, paper: nil)?
            .applied(to: image)
    }
}
