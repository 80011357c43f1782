public import Imaging

/// Finds pages with a small network that has seen pages on desks of every kind, covered by hands,
/// pens and papers, or partly out of view.
///
/// The picture is squeezed into 192 × 192 pixels. For every place in it, the network says how
/// likely it belongs to a page, to a page's edge and to a corner. Straight lines through the edges
/// give the corners. Then each side is moved onto its edge in the picture at full size.
///
///     let page = try NetworkPageDetector().detect(in: photograph)
///
/// One detection in a frame of 1920 × 1080 takes about 3 ms on one core. The working memory, 4 MB
/// for each simultaneous detection, is kept for the next.
public struct NetworkPageDetector: PageDetector {
    /// Which page is the main one when several are in view.
    public enum Preference: String, Hashable, Sendable, CaseIterable {
        /// The largest and most central: area counts, and pages count less the nearer they are to
        /// the picture's edge.
        case prominent
        /// The largest.
        case largest
        /// The one whose middle is nearest to the picture's.
        case central
    }

    /// The least part of the picture that counts as a page, 0…1; 0.02 unless given.
    public var minimumArea: Double
    /// The least confidence that counts as a page, 0…1; 0.05 unless given: a page whose sides are
    /// half covered is seldom above 0.3, and its corners are still useful.
    public var minimumConfidence: Double
    /// Which page is the main one when several are in view; the most prominent unless given.
    public var preference: Preference
    /// Whether each side is moved onto its edge at full size; true unless set.
    ///
    /// Otherwise, corners are right to a few thousandths of the picture's side, and a detection in
    /// a 1080p frame takes 0.4 ms less.
    public var refinesSides = true
    /// Whether the network also looks at mirror images, and only at the found page's surroundings;
    /// false unless set.
    ///
    /// For stills, where 10 ms more do not count: corners of small pages and covered edges are
    /// found better.
    public var looksClosely = false

    /// The shapes of what is looked for, each the longer side over the shorter, 1 and more; any
    /// when empty, which is the default.
    ///
    /// Among nested frames, a closer look then takes the outermost one that has such a shape and
    /// has edges in the picture.
    public var shapes: [Double] = []

    /// A detector.
    ///
    /// - Parameters:
    ///   - minimumArea: the least part of the picture that counts as a page, 0…1.
    ///   - minimumConfidence: the least confidence that counts as a page, 0…1.
    ///   - preference: which page is the main one when several are in view.
    public init(
        minimumArea: Double = 0.02, minimumConfidence: Double = 0.05,
        preference: Preference = .prominent
    ) {
        self.minimumArea = minimumArea
        self.minimumConfidence = minimumConfidence
        self.preference = preference
    }

    /// Where the page is; nil when none is seen, or when the page fills the whole picture.
    ///
    /// - Throws: `weights` when the program's weights can't be used.
    public func detect(in image: Raster) throws -> DetectedPage? {
        try image.withFrameView { try detect(in: $0) }
    }

    /// Where the page is, with ``looksClosely`` set.
    ///
    /// - Throws: `weights` when the program's weights can't be used.
    public func detectClosely(in image: Raster) throws -> DetectedPage? {
        var close = self
        close.looksClosely = true
        return try close.detect(in: image)
    }

    /// Where the page is in a camera's frame, read in place; nil when none is seen.
    ///
    /// - Throws: `weights` when the program's weights can't be used.
    public func detect(in frame: FrameView) throws(DetectionError) -> DetectedPage? {
        let (shown, corner) = withoutRim(frame)
        return try NetworkPool.shared.withNetwork { network in
            let maps = network.look(at: shown, twice: looksClosely)
            return ranked(sightings(in: maps, shown, network.weights)).first
                .flatMap { page($0, in: shown, network) }
        }?.shifted(by: corner)
    }

    /// The part of a frame within its black rim, if it has one, and where its top left is.
    func withoutRim(_ frame: FrameView) -> (FrameView, Point) {
        guard let inner = BlackRim(frame: frame).inner else { return (frame, Point(x: 0, y: 0)) }
        return (frame.part(inner), Point(x: Double(inner.x), y: Double(inner.y)))
    }

    /// The sighting to return; nil when a closer look makes it too unsure.
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
