import Imaging

/// The pages captured so far, and what has happened since the last of them.
struct PageMemory: Sendable {
    /// What has happened to the last page since it was captured; the greater, the more likely
    /// another has replaced it.
    private enum Disturbance: Int, Comparable, Sendable {
        /// The page is where it was captured.
        case none
        /// The page moved, or something on it did.
        case moved
        /// It was out of sight for a while.
        case gone

        static func < (a: Disturbance, b: Disturbance) -> Bool { a.rawValue < b.rawValue }

    }

    /// The part of the page's blocks that must differ for it to be another page.
    private var leastChange: Double {
        switch disturbance {
        case .none: 0.4
        case .moved: 0.2
        case .gone: same
        }
    }

    /// Below this two pictures show the same page; found corners are never quite the same, unlike
    /// those of a fixed area.
    private var same: Double { ground == nil ? 0.15 : 0.05 }

    /// Whether a change is caused by something on the page, such as a hand: less than half of the
    /// page, and darker than paper.
    private func isCover(_ change: PageSignature.Change) -> Bool {
        change.share < 0.5 && change.covered > 0.3
    }

    private var pages: [PageSignature] = []
    /// The empty stand, if it was seen before any page.
    private var ground: PageSignature?
    private var place: TrackedPage?
    private var disturbance = Disturbance.none
    private var goneSince: Double?
    /// When the page that was found to be an old one came to rest, so that it is compared with all
    /// of them only once.
    private var knownOldSince: Double?

    /// The last pages, with which a page is also compared after alignment: they may reappear with
    /// different corners.
    private static let aligned = 3
    /// The same applies to an earlier page that differs in less than this part of the blocks: one
    /// that reappears when a stack is removed sheet by sheet.
    private static let nearlySame = 0.4
    /// Below this part of the blocks, two aligned pages are the same.
    ///
    /// Other pages of one layout differ in a third and more; the same page with corners that are
    /// far off differs in a quarter.
    private static let sameAligned = 0.3
    /// Fewer blocks with content say nothing about aligned pages.
    private static let leastAligned = 8

    /// The most pages that are remembered.
    private static let most = 300
    /// Seconds without a page after which it is gone.
    private static let absence = 0.6
    /// If more than this part of a page's cells changes in one step, something moves over it.
    private static let passing = 0.15

    /// True before the first page.
    var isEmpty: Bool { pages.isEmpty }

    /// Notes a frame without a page.
    mutating func sawNothing(at time: Double) {
        let since = goneSince ?? time
        goneSince = since
        if time - since >= Self.absence - 1e-6 { disturbance = .gone }
    }

    /// Notes a frame with a page.
    mutating func saw(_ page: TrackedPage, at time: Double, motion: Double) {
        goneSince = nil
        guard let place else { return }
        let isMoved =
            page.track != place.track
            || page.quad.intersectionOverUnion(place.quad) < 0.9 || motion > Self.passing
        if isMoved { disturbance = max(disturbance, .moved) }
    }

    /// Notes a moment without observation.
    mutating func wasUnseen() { disturbance = max(disturbance, .moved) }

    /// Notes what the empty stand looks like, which is never a page.
    mutating func begin(on ground: PageSignature, _ page: TrackedPage) {
        self.ground = ground
        captured(ground, page)
    }

    /// Notes that a page was captured.
    mutating func captured(_ signature: PageSignature, _ page: TrackedPage) {
        if pages.count == Self.most { pages.removeFirst() }
        pages.append(signature)
        place = page
        disturbance = .none
        knownOldSince = nil
    }

    /// Takes back the last page.
    mutating func forgetLast() {
        _ = pages.popLast()
        place = nil
        disturbance = .gone
    }

    /// Whether the page is the one that was captured last, untouched; a quick look.
    func isPlainlyOld(_ signature: PageSignature) -> Bool {
        guard disturbance == .none, let last = pages.last else { return false }
        return signature.change(since: last).share < leastChange
    }

    /// Whether the page that has been still since `steadySince` is not among the captured ones.
    mutating func isNew(_ signature: PageSignature, steadySince: Double) -> Bool {
        guard let last = pages.last else { return true }
        if knownOldSince == steadySince { return false }
        if isGround(signature) {
            // Without a search, this is how a page disappears.
            disturbance = .gone
            return false
        }
        let change = signature.change(since: last)
        if change.isBlank {
            // One empty page looks like another: only a page that was removed can be followed by a
            // new one.
            if disturbance == .gone { return true }
        } else if change.share >= leastChange {
            // What covers the page now may still go away.
            if isCover(change), disturbance != .gone { return false }
            if !isKnown(signature) { return true }
            knownOldSince = steadySince
        }
        if disturbance != .none { knownOldSince = steadySince }
        return false
    }

    private func isGround(_ signature: PageSignature) -> Bool {
        guard let ground else { return false }
        let change = signature.change(since: ground)
        return change.isBlank || change.share < same
    }

    private func isKnown(_ signature: PageSignature) -> Bool {
        let turns = signature.inEachTurn
        let isPlainlyKnown = pages.contains { page in
            let change = PageSignature.leastChange(of: turns, since: page)
            return !change.isBlank && change.share < same
        }
        if isPlainlyKnown { return true }
        // A fixed area has no corners that could be off.
        guard ground == nil else { return false }
        return pages.indices.contains { index in
            let page = pages[index]
            let isRecent = index >= pages.count - Self.aligned
            let plain = signature.change(since: page).share
            guard isRecent || plain < Self.nearlySame,
                let change = signature.changeWhenAligned(since: page, surely: !isRecent)
            else { return false }
            // Aligning removes most of a difference that wrong corners cause, but little of that
            // between two pages.
            return change.blocks >= Self.leastAligned
                && change.share < max(same, min(Self.sameAligned, plain / 2))
        }
    }
}
