public import Imaging

/// The camera's view before the present page arrived.
///
///     var backdrop = Backdrop()
///     backdrop.rests(page.quad, in: luma, at: time)   // a page that is known lies still
///     backdrop.moves()                 // something moves on it
///     let judged = backdrop.judge(page, followed: nil, in: luma, found: 0.6, sure: 0.85)
public struct Backdrop: Sendable {
    /// The confidence of a sheet that was found by a change: as high as for a certain detection.
    ///
    /// Measured with `Scripts/bench clips`: of 951 pages captured in ten seeds, none had an overlap
    /// with the true corners below 0.95.
    public static let confidence = 0.97

    private struct View: Sendable {
        var picture: Raster
        /// The page's corners in the picture.
        var quad: Quad
        var time: Double
    }

    /// Seconds from one remembered picture to the next: the newest one shows a hand before it
    /// reaches the page.
    private static let interval = 0.5
    /// The minimum overlap of a sheet with the detected page, as intersection over union; less
    /// means that an object lies on the page.
    private static let same = 0.5
    /// If less than this part of a page changed, the page has not moved.
    private static let untouched = 0.01
    /// If more than this part of the detected page changed outside the sheet, the sheet is not new:
    /// it is a picture or table printed on a new page.
    private static let elsewhere = 0.003

    /// After this many certain detections the page's place is known; more would add nothing.
    private static let enough = 3
    /// If no known page was found, the next attempt comes this many looks later: the object that
    /// covered it may be gone.
    private static let pause = 3

    private var newest: View?
    private var older: View?
    private var before: View?
    /// The earlier view's page, prepared for a search when it is first needed.
    private var pushed: PushedPage?
    /// The places of earlier pages.
    private var places = KnownPlaces()
    /// The number of certain looks since something moved.
    private var certain = 0
    /// The number of looks since then without a known page.
    private var failedLooks = 0

    /// A backdrop before the first picture.
    public init() {}

    /// Records that a known page lies still in a gray picture.
    public mutating func rests(_ quad: Quad, in picture: Raster, at time: Double) {
        if let newest, time - newest.time < Self.interval, time >= newest.time { return }
        older = newest
        newest = View(picture: picture, quad: quad, time: time)
    }

    /// Records that something moves over the page, so that the newest picture becomes the earlier
    /// view.
    public mutating func moves() {
        (certain, failedLooks) = (0, 0)
        guard let view = older ?? newest else { return }
        (before, pushed) = (view, nil)
        places.note(view.quad, in: view.picture)
        (older, newest) = (nil, nil)
    }

    /// Judges a page that is detected while nothing moves.
    ///
    /// A known page that did not move, or was pushed, is certain, because its contents identify it.
    /// So is an earlier page that did not change, and a new top sheet if the detected page has
    /// sides of sheets below. A newly laid sheet is certain if the search is unsure, or if it has
    /// more new sides (minus old ones) than both the detected page and the followed one. Otherwise
    /// the detected page gets a vote, which weighs less for each old side, since such a side may
    /// belong to a sheet below. If the detected page has no more new sides than the new sheet, the
    /// sheet gets that vote. A result that was certain three times stays until something moves.
    ///
    /// - Parameters:
    ///   - seen: the detected page.
    ///   - followed: the corners of the page so far; nil if none is followed.
    ///   - picture: the gray picture with the page.
    ///   - found: the confidence below which the detection may be a hand with a page.
    ///   - sure: the minimum confidence of a certain detection.
    /// - Returns: the page to follow, and how reliable it is.
    public mutating func judge(
        _ seen: DetectedPage, followed: Quad?, in picture: Raster, found: Double, sure: Double
    ) -> (page: DetectedPage, trust: QuadTracker.Trust) {
        if certain >= Self.enough, let followed, seen.confidence >= found,
            followed.intersectionOverUnion(seen.quad) >= Self.same
        {
            return (DetectedPage(quad: followed, confidence: Self.confidence), .certain)
        }
        let judged = judgeUncertain(seen, followed, picture: picture, found: found, sure: sure)
        if judged.trust == .certain { certain += 1 }
        return judged
    }

    /// The corners of a known page, unmoved or pushed; nil if it is not near the detected one.
    private mutating func known(near seen: Quad, in picture: Raster) -> Quad? {
        func isMeant(_ place: Quad) -> Bool { place.intersectionOverUnion(seen) >= Self.same }
        if let place = places.page(in: picture, where: isMeant) { return place }
        if pushed == nil, let before { pushed = PushedPage(before.quad, in: before.picture) }
        return pushed?.place(in: picture).flatMap { isMeant($0) ? $0 : nil }
    }

    private mutating func judgeUncertain(
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
        // A hand moved through: whatever a single detection shows, the page is still the same.
        if change.share(of: before.quad) < Self.untouched,
            before.quad.intersectionOverUnion(seen.quad) >= Self.same
        {
            return (DetectedPage(quad: before.quad, confidence: Self.confidence), .certain)
        }
        if seen.confidence >= found, let top = TopSheet(within: seen.quad, in: pictures),
            top.quad.intersectionOverUnion(seen.quad) >= Self.same,
            change.share(of: seen.quad, beyond: top.quad) < Self.elsewhere
        {
            return (DetectedPage(quad: top.quad, confidence: Self.confidence), .certain)
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
    /// The number of new sides less the number of old ones.
    fileprivate var novelty: Int { reduce(0) { $0 + ($1 == .new ? 1 : $1 == .old ? -1 : 0) } }

    /// The weight of a vote for these sides: less for each old side.
    fileprivate var vote: Double { Swift.max(0.25, reduce(1) { $1 == .old ? $0 / 2 : $0 }) }
}
