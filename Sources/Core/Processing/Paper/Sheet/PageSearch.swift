public import Detection
public import Imaging

/// Finds a photographed page and makes it rectangular, for the step `crop` and `copystand detect`.
public struct PageSearch: PageDetector {
    private let target: Profile.Target
    private let detector: NetworkPageDetector

    /// A search for a page or a card.
    ///
    /// - Parameter target: the kind of object to look for, whose known sizes a result gets.
    public init(for target: Profile.Target = .page) {
        self.target = target
        var detector = NetworkPageDetector()
        detector.shapes = Self.shapes(of: target)
        self.detector = detector
    }

    /// The possible shapes of a target, each as the longer side over the shorter; empty if any
    /// shape is possible.
    public static func shapes(of target: Profile.Target) -> [Double] {
        target == .card ? NetworkPageDetector.cardShapes : []
    }

    /// The page's place, refined at full size; nil when there is none, or when the page fills the
    /// picture.
    ///
    /// - Throws: the errors of ``PageDetector/detect(in:)``.
    public func detect(in image: Raster) throws -> DetectedPage? {
        try detector.detect(in: image)
    }

    /// The page's place, found by a slower and closer search; for a picture that is searched only
    /// once.
    ///
    /// - Throws: the errors of ``detect(in:)``.
    public func detectClosely(in image: Raster) throws -> DetectedPage? {
        try detector.detectClosely(in: image)
    }

    /// Every visible page, found by the closer search, with the likeliest first; at most 20.
    ///
    /// - Throws: the errors of ``detect(in:)``.
    public func detectAll(in image: Raster) throws -> [DetectedPage] {
        var close = detector
        close.looksClosely = true
        return try close.detectAll(in: image)
    }

    /// The page cut out of `image` as a rectangle, with a known paper size if the shape is near
    /// one; nil when the shape is impossible.
    ///
    /// - Throws: ``ImagingError`` when memory runs out.
    public func flattened(_ page: DetectedPage, in image: Raster) throws -> Raster? {
        try Flattening(photographed: page.quad, in: image, target: target, paper: nil)?
            .applied(to: image)
    }
}
