public import Imaging

/// What was in view before the present page, as a camera on a stand saw it.
///
///     var backdrop = Backdrop()
///     backdrop.rests(page.quad, in: luma, at: time)   // a page that is known lies still
///     backdrop.moves()                 // something moves on it
///     let judged = backdrop.judge(page, followed: nil, in: luma, found: 0.6, sure: 0.85)
public struct Backdrop: Sendable {
    /// The confidence of a sheet that was found by what changed: that of a search that is sure.
    ///
    /// Of 951 pages captured in ten seeds of `Scripts/bench clips` none had corners whose overlap
    /// with the true ones was below 0.95.
    public static let confidence = 0.97

    private struct View: Sendable {
        var picture: Raster
        /// Where the page is in it.
        var quad: Quad
        var time: Double
    }

    /// Seconds from one remembered picture to the next: the newest shows what moves into view
    /// before it reaches the page.
    private static let interval = 0.5
    /// The least overlap of a sheet with what the search sees, as intersection over union; less
    /// means something on the page.
    private static let same = 0.5
    /// If less than this part of a page changed, it has not moved.
    private static let untouched = 0.01
    /// If more than this part of what the search sees changed outside the sheet, it is not a new
    /// sheet but a picture or table printed on a new page.
    private static let elsewhere = 0.003

    /// After this many certain looks its place is known; more looks would add nothing.
    private static let enough = 3
    /// If no known page was found, the next attempt is this many looks later: what covered it may
    /// be gone.
    private static let pause = 3

    private var newest: View?
    private var older: View?
    private var before: View?
    /// The page in the earlier view, once it was searched for.
    private var pushed: PushedPage?
    /// Where pages were before.
    private var places = KnownPlaces()
    /// Certain looks since something moved.
    private var certain = 0
    /// Looks since then in which no known page was found.
    private var failedLooks = 0

    /// Nothing was seen yet.
    public init() {}

    /// Notes that a known page lies still in a gray picture.
    public mutating func rests(_ quad: Quad, in picture: Raster, at time: Double) {
        if let newest, time - newest.time < Self.interval, time >= newest.time { return }
        older = newest
        newest = View(picture: picture, quad: quad, time: time)
    }

    /// Notes that something moves on the page: what was there is now behind it.
    public mutating func moves() {
        (certain, failedLooks) = (0, 0)
        guard let view = older ?? newest else { return }
        (before, pushed) = (view, nil)
        places.note(view.quad, in: view.picture)
        (older, newest) = (nil, nil)
    }

    /// Judges a page that is seen where nothing moves.
    ///
    /// A known page that did not move, or was pushed, is certain: it is found by its contents. So
    /// is an unchanged earlier page. So is a newly laid sheet if the search is in doubt, or if it
    /// has more new sides (minus old ones) than what the search sees and what is followed.
    /// Otherwise the page has a vote, with less weight for each old side, which may belong to a
    /// sheet below. If what the search sees has no more new sides, the new sheet gets that vote.
    /// What three looks were certain of stays until something moves.
    ///
    /// - Parameters:
    ///   - seen: what the search sees.
    ///   - followed: where the page is assumed to be so far; nil if none is followed.
    ///   - picture: the gray picture that contains it.
    ///   - found: the confidence below which it is not a page, but perhaps a hand that holds one.
    ///   - sure: the confidence from which the search is not in doubt.
    /// - Returns: the page to follow, and how far it is to be trusted.
    public mutating func judge(
        _ seen: DetectedPage, followed: Quad?, in picture: Raster, found: Double, sure: Double
    ) -> (page: DetectedPage, trust: QuadTracker.Trust) {
        if certain >= Self.enough, let followed, seen.confidence >= found,
            followed.intersectionOverUnion(seen.quad) >= Self.same
        {
            return (DetectedPage(quad: followed, confidence: Self.confidence), .certain)
        }
        let judged = judgeAnew(seen, followed, picture: picture, found: found, sure: sure)
        if judged.trust == .certain { certain += 1 }
        return judged
    }

    /// Where a known page is: unmoved or pushed; nil if that is not near what the search sees.
    private mutating func known(near seen: Quad, in picture: Raster) -> Quad? {
        func isMeant(_ place: Quad) -> Bool { place.intersectionOverUnion(seen) >= Self.same }
        if let place = places.page(in: picture, where: isMeant) { return place }
        if pushed == nil, let before { pushed = PushedPage(before.quad, in: before.picture) }
        return pushed?.place(in: picture).flatMap { isMeant($0) ? $0 : nil }
    }

    private mutating func judgeAnew(
        _ seen: DetectedPage, _ followed: Quad?, picture: Raster, found: Double, sure: Double
    ) -> (page: DetectedPage, trust: QuadTracker.Trust) {
        guard let before, let pictures = PicturePair(before: before.picture, now: picture) else {
            return (seen, .vote(1))
        }
        if failedLooks % Self.pause == 0, let known = known(near: seen.quad, in: picture) {
            return (DetectedPage(quad: known, confidence: Self.confidence), .certain)
        }
        failedLooks += 1
        let sides = SideNovelty.sides(of: seen.quad, in: pictures)
        guard seen.confidence < sure || sides.contains(where: { $0 != .new }) else {
            return (seen, .vote(1))
        }
        let change = PictureChange(pictures)
        // A hand came and went: whatever a single look sees, the page is the one that was there
        // before.
        if change.share(of: before.quad) < Self.untouched,
            before.quad.intersectionOverUnion(seen.quad) >= Self.same
        {
            return (DetectedPage(quad: before.quad, confidence: Self.confidence), .certain)
        }
        guard seen.confidence >= found, let sheet = LaidSheet(change),
            sheet.quad.intersectionOverUnion(seen.quad) >= Self.same,
            change.share(of: seen.quad, beyond: sheet.quad) < Self.elsewhere
        else { return (seen, .vote(sides.vote)) }
        let novelty = sheet.sides.novelty
        if novelty < sides.novelty, seen.confidence >= sure { return (seen, .vote(sides.vote)) }
        let followedNovelty = followed.map { SideNovelty.sides(of: $0, in: pictures).novelty }
        if seen.confidence < sure || novelty > max(sides.novelty, followedNovelty ?? .min) {
            return (DetectedPage(quad: sheet.quad, confidence: Self.confidence), .certain)
        }
        let page = DetectedPage(quad: sheet.quad, confidence: seen.confidence)
        return (page, .vote(sheet.sides.vote))
    }
}

extension [SideNovelty.Side] {
    /// How many more sides are new than old.
    fileprivate var novelty: Int { reduce(0) { $0 + ($1 == .new ? 1 : $1 == .old ? -1 : 0) } }

    /// The weight of a vote for them: less for each old side.
    fileprivate var vote: Double { Swift.max(0.25, reduce(1) { $1 == .old ? $0 / 2 : $0 }) }
}
