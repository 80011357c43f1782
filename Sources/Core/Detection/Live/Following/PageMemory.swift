import Imaging

/// The pages captured so far, and the events since the last of them.
struct PageMemory: Sendable {
    /// The event that has happened to the last page since its capture; the greater the value, the
    /// more likely another page has replaced it.
    private enum Disturbance: Int, Comparable, Sendable {
        /// The page is where it was captured.
        case none
        /// The page moved, or something on it did.
        case moved
        /// The page was out of sight for a while.
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

    /// Below this part of the blocks, two pictures show the same page.
    ///
    /// It is larger for found corners, which vary, than for a fixed area.
    private var same: Double { ground == nil ? 0.15 : 0.05 }

    /// True if something on the page, such as a hand, causes a change: it covers less than half of
    /// the page, and is darker than paper.
    private func isCover(_ change: PageSignature.Change) -> Bool {
        change.share < 0.5 && change.covered > 0.3
    }

    private var pages: [PageSignature] = []
    /// The empty stand, if it was seen before any page.
    private var ground: PageSignature?
    private var place: TrackedPage?
    private var disturbance = Disturbance.none
    private var goneSince: Double?
    /// The time when the page that turned out to be an old one came to rest, so that it is compared
    /// with all old pages only once.
    private var knownOldSince: Double?

    /// The number of latest pages that are also compared after alignment: they may reappear with
    /// different corners.
    private static let aligned = 3
    /// An earlier page is compared after alignment too if less than this part of its blocks
    /// differs, as when a stack is removed sheet by sheet.
    private static let nearlySame = 0.4
    /// Below this part of the blocks, two aligned pages are the same.
    ///
    /// Different pages of one layout differ in a third or more; the same page with wrong corners
    /// differs in a quarter.
    private static let sameAligned = 0.3
    /// With fewer blocks that have content, aligned pages can't be compared.
    private static let leastAligned = 8

    /// The maximum number of pages to remember.
    private static let most = 300
    /// After this many seconds without a page, the page counts as removed.
    private static let absence = 0.6
    /// If more than this part of a page's cells changes in one step, something moves over the page.
    private static let passing = 0.15

    /// True before the first page.
    var isEmpty: Bool { pages.isEmpty }

    /// Records a frame without a page.
    mutating func sawNothing(at time: Double) {
        let since = goneSince ?? time
        goneSince = since
        if time - since >= Self.absence - 1e-6 { disturbance = .gone }
    }

    /// Records a frame with a page.
    mutating func saw(_ page: TrackedPage, at time: Double, motion: Double) {
        goneSince = nil
        guard let place else { return }
        let isMoved =
            page.track != place.track
            || page.quad.intersectionOverUnion(place.quad) < 0.9 || motion > Self.passing
        if isMoved { disturbance = max(disturbance, .moved) }
    }

    /// Records a time without observations.
    mutating func wasUnseen() { disturbance = max(disturbance, .moved) }

    /// Records the appearance of the empty stand, which is never a page.
    mutating func begin(on ground: PageSignature, _ page: TrackedPage) {
        self.ground = ground
        captured(ground, page)
    }

    /// Records that a page was captured.
    mutating func captured(_ signature: PageSignature, _ page: TrackedPage) {
        if pages.count == Self.most { pages.removeFirst() }
        pages.append(signature)
        place = page
        disturbance = .none
        knownOldSince = nil
    }

    /// Removes the last page.
    mutating func forgetLast() {
        _ = pages.popLast()
        place = nil
        disturbance = .gone
    }

    /// True if the page is the last captured one, untouched; this is a quick look.
    func isPlainlyOld(_ signature: PageSignature) -> Bool {
        guard disturbance == .none, let last = pages.last else { return false }
        return signature.change(since: last).share < leastChange
    }

    /// True if the page that has been still since `steadySince` is not among the captured ones.
    mutating func isNew(_ signature: PageSignature, steadySince: Double) -> Bool {
        guard let last = pages.last else { return true }
        if knownOldSince == steadySince { return false }
        if isGround(signature) {
            // A fixed area has no search that could lose the page, so this is how a page
            // disappears.
            disturbance = .gone
            return false
        }
        let change = signature.change(since: last)
        if change.isBlank {
            // Empty pages look alike, so a new one can follow only after the old one was removed.
            if disturbance == .gone { return true }
        } else if change.share >= leastChange {
            // The object that covers the page may still go away.
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
        // A fixed area's corners are never wrong.
        guard ground == nil else { return false }
        return pages.indices.contains { index in
            let page = pages[index]
            let isRecent = index >= pages.count - Self.aligned
            let plain = signature.change(since: page).share
            guard isRecent || plain < Self.nearlySame,
                let change = signature.changeWhenAligned(since: page, surely: !isRecent)
            else { return false }
            // Aligning removes most of the difference between pictures of one page with wrong
            // corners, but little of that between two pages.
            return change.blocks >= Self.leastAligned
                && change.share < max(same, min(Self.sameAligned, plain / 2))
        }
    }
}
