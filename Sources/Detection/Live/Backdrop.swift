public import Imaging

/// What lay in view before the page that lies there now, as a camera on a stand saw it.
///
///     var backdrop = Backdrop()
///     backdrop.rests(luma, at: time)   // a page that is known lies still
///     backdrop.moves()                 // something moves on it
///     let judged = backdrop.judge(page, in: luma, sure: 0.85)
public struct Backdrop: Sendable {
    /// The confidence of a sheet that was found by what changed: that of a search that is sure.
    ///
    /// Of 951 pages captured in ten seeds of `Scripts/bench clips` none had corners whose overlap with the true ones was below 0.95.
    public static let confidence = 0.97

    private struct View: Sendable {
        var picture: Raster
        var time: Double
    }

    /// Seconds from one remembered picture to the next: what moves into view is in the newest before it reaches the page.
    private static let interval = 0.5
    /// The least overlap of a sheet with what the search sees, as intersection over union; below it is something that lies on the page.
    private static let same = 0.5

    private var newest: View?
    private var older: View?
    private var before: Raster?

    /// Nothing was seen yet.
    public init() {}

    /// Notes that a page that is known lies still.
    public mutating func rests(_ picture: Raster, at time: Double) {
        if let newest, time - newest.time < Self.interval, time >= newest.time { return }
        older = newest
        newest = View(picture: picture, time: time)
    }

    /// Notes that something moves on the page: what lay there is behind whatever comes.
    public mutating func moves() {
        guard let view = older ?? newest else { return }
        before = view.picture
        (older, newest) = (nil, nil)
    }

    /// What to make of a page that is seen where nothing moves.
    ///
    /// A sheet that came by itself is certain where the search is in doubt, or sees fewer new sides. Otherwise the page has a vote, and less of one for each side that was there before: it may be that of a
    /// sheet below. Where both have as many new sides, the sheet that came has that vote.
    ///
    /// - Parameters:
    ///   - seen: what the search sees.
    ///   - picture: the gray picture in which it lies.
    ///   - sure: the confidence from which the search is not in doubt.
    /// - Returns: the page to follow, and how far it is to be trusted.
    public func judge(
        _ seen: DetectedPage, in picture: Raster, sure: Double
    ) -> (page: DetectedPage, trust: QuadTracker.Trust) {
        guard let before else { return (seen, .vote(1)) }
        let sides = SideNovelty.sides(of: seen.quad, before: before, now: picture)
        guard seen.confidence < sure || sides.contains(where: { $0 != .new }),
            let sheet = LaidSheet(before: before, now: picture),
            sheet.quad.intersectionOverUnion(seen.quad) >= Self.same
        else { return (seen, .vote(sides.vote)) }
        if seen.confidence < sure || sheet.sides.novelty > sides.novelty {
            return (DetectedPage(quad: sheet.quad, confidence: Self.confidence), .certain)
        }
        if sheet.sides.novelty < sides.novelty { return (seen, .vote(sides.vote)) }
        let page = DetectedPage(quad: sheet.quad, confidence: seen.confidence)
        return (page, .vote(sheet.sides.vote))
    }
}

extension [SideNovelty.Side] {
    /// How many more sides are new than were there before.
    fileprivate var novelty: Int { reduce(0) { $0 + ($1 == .new ? 1 : $1 == .old ? -1 : 0) } }

    /// What a vote for them counts: less for each that was there before.
    fileprivate var vote: Double { Swift.max(0.25, reduce(1) { $1 == .old ? $0 / 2 : $0 }) }
}
