package import CaptureHost
import CaptureKit
package import Detection
import Imaging

/// Processes the frames of a watch, one after another: reads the brightness, searches and follows
/// the page, and decides about the capture.
///
/// It blocks, so it is used on a separate queue.
package struct LiveAnalyzer: ~Copyable {
    /// The settings of a watch.
    package struct Request: Sendable {
        var settings: AutoCaptureSettings
        var area: LiveArea
        var spool: SpoolFolder
        /// The maximum number of pages; nil for no limit.
        var limit: Int?
        /// The seconds without a new page after which the watch ends; nil for no limit.
        var idle: Double?
        /// True for a recording, whose frames all wait for their turn, so that examining fewer
        /// would save nothing.
        var isRecording: Bool
        /// The condition for capturing pages as stills.
        var stills: LiveOptions.Stills
        var control: LiveRequests
        var onLive: @Sendable (LiveEvent) -> Void

        /// The settings of one watch.
        ///
        /// - Parameters:
        ///   - spool: the folder for the pages.
        ///   - limit: the maximum number of pages; nil for no limit.
        ///   - idle: the seconds without a new page after which the watch ends; nil for no limit.
        ///   - onLive: called for each event, from any thread.
        package init(
            settings: AutoCaptureSettings, area: LiveArea, spool: SpoolFolder, limit: Int?,
            idle: Double?, isRecording: Bool, stills: LiveOptions.Stills, control: LiveRequests,
            onLive: @escaping @Sendable (LiveEvent) -> Void
        ) {
            self.settings = settings
            self.area = area
            self.spool = spool
            self.limit = limit
            self.idle = idle
            self.isRecording = isRecording
            self.stills = stills
            self.control = control
            self.onLive = onLive
        }
    }

    /// The current activity of a watch.
    private enum State {
        case filming
        /// A page is being captured as a still; no frame is examined until it arrives.
        case awaitingStill(WantedStill)
        /// The limit is reached, or no page arrived for too long.
        case finished
    }

    private let request: Request
    private var state = State.filming
    private var follower: PageFollower
    private var capture: AutoCapture
    private var held = HeldFrames()
    private var stills: StillUse
    private let store: StillStore
    private var throttle: FrameThrottle
    private var lookRate = LookRate()
    private var outage = Outage()
    private var lastActivity: Double?
    private(set) var statistics = LiveStatistics()
    /// Pages that were captured since the last fetch.
    private var fresh: [CapturedPage] = []

    /// True when the limit is reached, or no page arrived for too long.
    var isFinished: Bool { if case .finished = state { true } else { false } }

    /// True while the analyzer waits for a still.
    var wantsStill: Bool { wanted != nil }

    /// The page whose still is awaited; nil for none.
    private var wanted: WantedStill? {
        if case .awaitingStill(let page) = state { page } else { nil }
    }

    init(_ request: Request) {
        self.request = request
        stills = StillUse(request.stills, isRecording: request.isRecording)
        store = StillStore(spool: request.spool)
        follower = PageFollower(request.area, settings: request.settings)
        let most = request.settings.rate
        throttle = FrameThrottle(most: most, least: request.isRecording ? most : min(2, most))
        var settings = request.settings
        settings.beginsEmpty = request.area.isFixed
        capture = AutoCapture(settings: settings)
    }

    /// Returns the pages captured since the last call.
    mutating func fetch() -> [CapturedPage] {
        defer { fresh = [] }
        return fresh
    }

    /// Prepares for a camera with these options.
    mutating func begin(with options: [DeviceOption]) {
        stills.begin(with: options)
    }

    /// Releases every frame, as when the camera is gone; a page that waits for its still is
    /// captured from the live frames instead.
    ///
    /// - Throws: ``HostError`` when the page can't be stored.
    mutating func reset() throws {
        if let page = wanted {
            state = .filming
            try keepPage(page, at: page.time)
        }
        held.drop()
        capture.lookedAway()
        follower.reset()
    }

    /// Handles a camera that is gone or sends nothing.
    mutating func lost(_ error: HostError, at time: Double) {
        if outage.began(error) { request.onLive(.lost(time: time, error)) }
    }

    /// Ends the watch if no page was captured for too long.
    mutating func nothingSeen(at time: Double) {
        // A page that waits for its still is being captured.
        guard let idle = request.idle, wanted == nil else { return }
        let since = lastActivity ?? time
        lastActivity = since
        if time - since >= idle { state = .finished }
    }

    /// Handles the next frame.
    ///
    /// - Parameter time: the seconds since the watch began.
    /// - Throws: ``HostError`` when a page can't be stored, or the frames' format can't be read.
    mutating func take(_ frame: CapturedPage, at time: Double) throws {
        statistics.frames += 1
        guard case .filming = state else { return frame.release() }
        let isAsked = request.control.takeRequest()
        guard throttle.isDue(at: time) || isAsked else { return frame.release() }
        let start = ContinuousClock.now
        follow()
        let look: PageFollower.Look
        do {
            look = try follower.look(frame, at: time, &statistics)
        } catch let damage as PageFollower.DamagedFrame {
            // The next frame serves all requests so far.
            if isAsked { request.control.captureNow() }
            sawDamage(at: time, damage.reason)
            return frame.release()
        }
        lookRate.looked(at: time)
        if outage.ended() { request.onLive(.back(time: time)) }
        let status = statistics.measure(.decide) { capture.observe(look.seen) }
        follower.settle(status, look.seen)
        report(status, look.quad, time)
        held.drop(before: status.steadySince ?? .infinity)
        held.keep(
            HeldFrame(
                frame: frame, time: time, quad: look.quad,
                sharpness: look.seen.measures?.sharpness ?? 0))
        throttle.finished(after: (ContinuousClock.now - start) / .seconds(1))
        if status.state == .capturing || isAsked {
            try captured(
                WantedStill(
                    time: time, seen: look.seen, isByHand: status.state != .capturing))
        }
        nothingSeen(at: time)
    }

    /// Captures a page, or asks for its still.
    private mutating func captured(_ page: WantedStill) throws {
        if page.isByHand { request.onLive(.capturing(time: page.time)) }
        if stills.areTaken {
            state = .awaitingStill(page)
        } else {
            try keepPage(page, at: page.time)
        }
    }

    /// Handles a frame that the device left out.
    mutating func skipped(_ error: CaptureError, at time: Double) {
        statistics.frames += 1
        sawDamage(at: time, error.message)
    }

    /// Counts a damaged frame.
    ///
    /// The user learns of the first damaged frame in a recording, and of a camera that sends only
    /// damaged ones.
    private mutating func sawDamage(at time: Double, _ what: String) {
        statistics.damaged += 1
        if !request.isRecording {
            if let error = outage.damaged(at: time) { lost(error, at: time) }
        } else if statistics.damaged == 1 {
            request.onLive(
                .note(
                    time: time,
                    "A frame is damaged and left out: \(what). More of them are only counted; see --stats."
                ))
        }
        nothingSeen(at: time)
    }

    /// Uses the region that a user drew since the last frame; its present view counts as the empty
    /// stand.
    private mutating func follow() {
        guard follower.draw(request.control.region) else { return }
        var settings = request.settings
        settings.beginsEmpty = true
        capture = AutoCapture(settings: settings)
        held.drop()
    }

    private func report(_ status: LiveStatus, _ quad: Quad?, _ time: Double) {
        request.onLive(
            .seen(
                LiveView(
                    time: time, status: status, quad: quad, width: follower.frameSize.width,
                    height: follower.frameSize.height, rate: lookRate.value,
                    searchTime: statistics.times[.detect]?.last, pages: statistics.pages)))
    }

    // MARK: Pages

    /// Uses the expected still; if it is missing or shows another page, captures the page from the
    /// live frames.
    ///
    /// - Parameters:
    ///   - still: the picture, stored anywhere; it is not needed afterward.
    ///   - failure: the reason why there is no still.
    ///   - seconds: the time that the still took.
    /// - Throws: ``HostError`` when the page can't be stored.
    mutating func take(
        still picture: CapturedPage?, failure: (any Error)?, after seconds: Double
    ) throws {
        guard let page = wanted else { return }
        state = .filming
        statistics.record(.change, seconds)
        let now = page.time + seconds
        do {
            guard let picture else { throw StillMatch.Refusal(reason: "") }
            let stored = try stored(picture, as: page)
            stills.record(seconds: seconds, isUsed: true)
            finish(page, stored, at: now, isStill: true)
        } catch let error where error is StillMatch.Refusal || error is ImagingError {
            stills.record(seconds: seconds, isUsed: false)
            // After a stop, no explanation is needed.
            if !(failure is CancellationError) {
                let reason =
                    picture == nil
                    ? failure.map { captureError($0).message } ?? "none arrived"
                    : Self.reason(error)
                request.onLive(
                    .note(
                        time: now,
                        "The still is not used: \(reason). The page is taken from the live frames.")
                )
            }
            try keepPage(page, at: now)
        }
        if let surrender = stills.surrender { request.onLive(.note(time: now, surrender)) }
        capture.lookedAway()
    }

    private static func reason(_ error: any Error) -> String {
        (error as? StillMatch.Refusal)?.reason ?? (error as? ImagingError)?.message ?? "\(error)"
    }

    /// Stores the still of a page.
    ///
    /// - Throws: ``StillMatch/Refusal`` when the still shows another page, `ImagingError` when it
    ///   is damaged, ``HostError`` when it can't be stored.
    private mutating func stored(
        _ picture: CapturedPage, as page: WantedStill
    ) throws -> (page: CapturedPage, quad: Quad?) {
        let match = StillMatch(seen: page.seen, area: follower.area, settings: request.settings)
        let (store, number) = (store, nextNumber)
        return try statistics.measure(.still) { try store.store(picture, match, number: number) }
    }

    /// The number of the next page in the spool.
    private var nextNumber: Int { request.spool.firstNumber + statistics.pages }

    /// Records a stored page.
    private mutating func finish(
        _ wanted: WantedStill, _ stored: (page: CapturedPage, quad: Quad?), at time: Double,
        isStill: Bool
    ) {
        statistics.pages += 1
        lastActivity = time
        if wanted.isByHand { capture.capturedByHand(wanted.seen) }
        fresh.append(stored.page)
        request.onLive(
            .captured(
                LivePage(
                    number: statistics.pages, time: time, quad: stored.quad,
                    width: stored.page.description.width,
                    height: stored.page.description.height ?? 0,
                    isByHand: wanted.isByHand, isStill: isStill)))
        if statistics.pages == request.limit { state = .finished }
        held.drop()
    }

    /// Stores the best of the held frames that can be decoded.
    private mutating func keepPage(_ wanted: WantedStill, at time: Double) throws {
        let (store, area, number) = (store, follower.area, nextNumber)
        var damage: ImagingError?
        for frame in held.bestFirst {
            do {
                // The profile's own step crops a fixed area; a drawn region has exact corners.
                let frame = area.isFixed && !area.isDrawn ? frame.withoutQuad : frame
                let stored = try statistics.measure(.still) {
                    try store.store(frame, number: number, isExact: area.isDrawn)
                }
                return finish(wanted, stored, at: time, isStill: false)
            } catch let error as ImagingError {
                statistics.damaged += 1
                damage = error
            }
        }
        if !wanted.isByHand { capture.captureFailed() }
        held.drop()
        let reason = damage?.message ?? "no frame of it is left"
        request.onLive(
            .missed(
                time: time,
                HostError(HostError.Code(.damagedData), "a page could not be captured: \(reason)")))
    }
}
