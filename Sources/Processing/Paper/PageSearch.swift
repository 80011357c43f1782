public import Detection
public import Imaging

/// Finds a photographed page and makes it rectangular: the one search that the crop step and `copystand detect` share.
public struct PageSearch: PageDetector {
    private let target: Profile.Target
    private let detector: NetworkPageDetector

    /// A search for a page or a card.
    ///
    /// - Parameters:
    ///   - target: what is looked for, and flattened to its known sizes.
    ///   - isStill: looks closely, as at a picture that is searched once; a film's frames are many, and one look at each must do.
    public init(for target: Profile.Target = .page, isStill: Bool = false) {
        self.target = target
        var detector = NetworkPageDetector()
        detector.looksClosely = isStill
        self.detector = detector
    }

    /// Where the page is, refined at full size; nil when none is seen, or when it fills the picture.
    ///
    /// - Throws: what ``PageDetector/detect(in:)`` throws.
    public func detect(in image: Raster) throws -> DetectedPage? {
        try detector.detect(in: image)
    }

    /// Every page in view, those first that are meant most likely; at most 8.
    ///
    /// - Throws: what ``detect(in:)`` throws.
    public func detectAll(in image: Raster) throws -> [DetectedPage] {
        try detector.detectAll(in: image)
    }

    /// The page cut out of `image` as the rectangle it is, of a known paper size where it is near one; nil when its shape
    /// makes no sense.
    ///
    /// - Throws: ``ImagingError`` when there is no memory for it.
    public func flattened(_ page: DetectedPage, in image: Raster) throws -> Raster? {
        try Flattening(photographed: page.quad, in: image, target: target, paper: nil)?
            .applied(to: image)
    }
}
