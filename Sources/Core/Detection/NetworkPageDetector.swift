public import Imaging

/// Finds pages with a small network that was trained on desks of every kind, with pages covered by
/// hands, pens and papers, or partly out of view.
///
/// The picture is squeezed into 192 × 192 pixels. For every place in it, the network gives the
/// probabilities that it belongs to a page, to a page's edge and to a corner. Straight lines
/// through the edges give the corners. Then each side is moved onto its edge in the picture at full
/// size.
///
///     let page = try NetworkPageDetector().detect(in: photograph)
///
/// One detection in a frame of 1920 × 1080 takes about 3 ms on one core. The working memory, 4 MB
/// for each simultaneous detection, is kept for the next.
public struct NetworkPageDetector: PageDetector {
    /// The choice of the main page among several visible ones.
    public enum Preference: String, Hashable, Sendable, CaseIterable {
        /// The largest and most central: area counts, and pages count less the nearer they are to
        /// the picture's edge.
        case prominent
        /// The largest.
        case largest
        /// The one whose middle is nearest to the picture's.
        case central
    }

    /// The minimum fraction of the picture, 0…1, that a page covers; 0.02 unless given.
    public var minimumArea: Double
    /// The minimum confidence of the network in a page, 0…1; 0.05 unless given: a page whose sides
    /// are half covered seldom has more than 0.3, and its corners are still useful.
    ///
    /// The result's own confidence is lower where edges in the picture gave other corners.
    public var minimumConfidence: Double
    /// The choice of the main page among several visible ones; the most prominent unless given.
    public var preference: Preference
    /// True to move each side onto its edge at full size; true unless set.
    ///
    /// Without this, corners are right to a few thousandths of the picture's side, and a detection
    /// in a 1080p frame takes 0.4 ms less.
    public var refinesSides = true
    /// True to examine mirror images too, and then only the found page's surroundings, with the
    /// networks for pages and for cards; false unless set.
    ///
    /// This is for stills, where some tens of milliseconds more do not matter: cards, small pages
    /// and covered edges are found better.
    public var looksClosely = false

    /// The shapes of the pages to look for, each as the longer side over the shorter, at least 1;
    /// any shape when empty, the default.
    ///
    /// With shapes, a closer look chooses among nested frames the outermost one with such a shape
    /// and with edges in the picture.
    public var shapes: [Double] = []

    /// A detector.
    ///
    /// - Parameters:
    ///   - minimumArea: the minimum fraction of the picture, 0…1, that a page covers.
    ///   - minimumConfidence: the minimum confidence of the network in a page, 0…1.
    ///   - preference: the choice of the main page among several visible ones.
    public init(
        minimumArea: Double = 0.02, minimumConfidence: Double = 0.05,
        preference: Preference = .prominent
    ) {
        self.minimumArea = minimumArea
        self.minimumConfidence = minimumConfidence
        self.preference = preference
    }

    /// The page's place; nil when none is found, or when the page fills the whole picture.
    ///
    /// - Throws: `weights` when the program's weights can't be used.
    public func detect(in image: Raster) throws -> DetectedPage? {
        try image.withFrameView { try detect(in: $0) }
    }

    /// The page's place, with ``looksClosely`` set.
    ///
    /// - Throws: `weights` when the program's weights can't be used.
    public func detectClosely(in image: Raster) throws -> DetectedPage? {
        var close = self
        close.looksClosely = true
        return try close.detect(in: image)
    }

    /// The page's place in a camera's frame, read in place; nil when none is found.
    ///
    /// - Throws: `weights` when the program's weights can't be used.
    public func detect(in frame: FrameView) throws(DetectionError) -> DetectedPage? {
        let (shown, corner) = withoutRim(frame)
        guard looksClosely else {
            return try NetworkPool.pages.withNetwork { network in
                main(in: shown, network).flatMap { page($0, in: shown, network) }
            }?.shifted(by: corner)
        }
        let pages = try NetworkPool.pages.withNetwork { answers(of: $0, in: shown) }
        let cards = try NetworkPool.cards.withNetwork { answers(of: $0, in: shown) }
        return chosen(pages, cards, in: shown)?.shifted(by: corner)
    }

    /// The main page in the frame, as the network sees it in the whole frame.
    func main(in frame: FrameView, _ network: PageNetwork) -> Sighting? {
        let maps = network.look(at: frame, twice: looksClosely)
        return ranked(sightings(in: maps, frame, network.weights)).first
    }

    /// The part of a frame within its black rim, if it has one, and that part's top left corner.
    func withoutRim(_ frame: FrameView) -> (FrameView, Point) {
        guard let inner = BlackRim(frame: frame).inner else { return (frame, Point(x: 0, y: 0)) }
        return (frame.part(inner), Point(x: Double(inner.x), y: Double(inner.y)))
    }

    /// The sighting to return; nil when a closer look lowers its confidence too much.
    func page(
        _ sighting: Sighting, in frame: FrameView, _ network: PageNetwork
    ) -> DetectedPage? {
        let answers = looksClosely ? closer(sighting, in: frame, network) : [sighting]
        let seen = answers[0]
        let confidence = network.weights.confidence(raw: seen.raw, closely: looksClosely)
        guard confidence >= minimumConfidence else { return nil }
        guard refinesSides else { return DetectedPage(quad: seen.quad, confidence: confidence) }
        let quad = looksClosely ? framed(answers, in: frame) : nil
        return DetectedPage(
            quad: quad ?? SideRefiner(frame: frame).refined(seen.quad), confidence: confidence)
    }
}

extension DetectedPage {
    func shifted(by way: Point) -> Self {
        Self(quad: quad.shifted(by: way), confidence: confidence)
    }
}
