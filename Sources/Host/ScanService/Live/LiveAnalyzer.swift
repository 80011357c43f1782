import CaptureHost
import CaptureKit
import Detection
import Imaging

/// What is done with each frame of a watch, one after another: brightness, search, tracking,
/// decision, and the page.
///
/// It blocks, and belongs on a queue of its own.
struct LiveAnalyzer: ~Copyable {
    /// What a watch is asked to do.
    struct Task: Sendable {
        var settings: AutoCaptureSettings
        var area: LiveArea
        var spool: SpoolFolder
        /// The most pages; nil for no limit.
        var limit: Int?
        /// Seconds without a new page after which it ends; nil for never.
        var idle: Double?
        /// True for frames that all wait for their turn, so that nothing is gained by looking at
        /// fewer.
        var isRecording: Bool
        /// When pages are taken as stills.
        var stills: LiveOptions.Stills
        var control: LiveControl
        var onLive: @Sendable (LiveEvent) -> Void
    }

    private let task: Task
    private let still: StillStore
    private var reader = LumaReader()
    private var closerLook = CloserLook()
    private var throttle: FrameThrottle
    private var lookRate = LookRate()
    private var tracker = QuadTracker()
    /// The followed page as it was last looked at.
    private var lastLook: FollowedLook?
    private var capture: AutoCapture
    /// Where the page is in the frame that is looked at.
    private var area: LiveArea
    private var held = HeldFrames()
    /// What the captured page that lies there looks like, for as long as nothing moves on it.
    private var settled: PageSignature?
    /// What lay there before the page that lies there now.
    private var backdrop = Backdrop()
    private var lastActivity: Double?
    private var outage = Outage()
    /// What was wrong with the last frame that could not be looked at.
    private var damage: String?
    private(set) var statistics = LiveStatistics()
    /// True when the limit is reached, or nothing happened for too long.
    private(set) var isFinished = false
    /// A page that is to be taken as a still; no frame is looked at until it is there.
    private var wanted: WantedStill?
    private var stills: StillUse
    /// True where the device's stills are worth taking.
    private var takesStills = false
    /// Pages that were captured since they were last fetched.
    private var fresh: [CapturedPage] = []

    /// True while a still is waited for.
    var wantsStill: Bool { wanted != nil }

    init(_ task: Task) {
        self.task = task
        stills = StillUse(task.stills)
        still = StillStore(spool: task.spool)
        var settings = task.settings
        area = task.area
        settings.beginsEmpty = area.isFixed
        let most = settings.rate
        throttle = FrameThrottle(most: most, least: task.isRecording ? most : min(2, most))
        capture = AutoCapture(settings: settings)
    }

    /// The pages captured since the last call.
    mutating func fetch() -> [CapturedPage] {
        defer { fresh = [] }
        return fresh
    }

    /// Learns what the device that is filmed with now can do.
    mutating func begin(with options: [DeviceOption]) {
        takesStills = !task.isRecording && stills.isWanted(options)
    }

    /// Lets go of every frame, as when the camera is gone; a page that waited for its still is
    /// taken from the film.
    ///
    /// - Throws: ``HostError`` when it can't be stored.
    mutating func reset() throws {
        if let page = wanted {
            wanted = nil
            try keepPage(at: page.time, page.seen, isByHand: page.isByHand)
        }
        held.drop()
        backdrop = Backdrop()
        capture.lookedAway()
        _ = tracker.update(nil, width: 1, height: 1)
        lastLook = nil
    }

    /// Learns that the camera is gone, or sends nothing.
    mutating func lost(_ error: HostError, at time: Double) {
        if outage.began(error) { task.onLive(.lost(time: time, error)) }
    }

    /// Ends the watching where nothing was captured for too long.
    mutating func nothingSeen(at time: Double) {
        // A page that waits for its still is on its way.
        guard let idle = task.idle, wanted == nil else { return }
        let since = lastActivity ?? time
        lastActivity = since
        if time - since >= idle { isFinished = true }
    }

    /// Takes the next frame.
    ///
    /// - Parameter time: seconds since the watching began.
    /// - Throws: ``HostError`` when a page can't be stored, or the frames have a form that can't be
    ///   read.
    mutating func take(_ frame: CapturedPage, at time: Double) throws {
        statistics.frames += 1
        guard !isFinished, wanted == nil else { return frame.release() }
        let isAsked = task.control.takeRequest()
        guard throttle.isDue(at: time) || isAsked else { return frame.release() }
        let start = ContinuousClock.now
        follow()
        guard let (seen, quad) = try look(frame, at: time) else {
            // The next frame serves whoever asked.
            if isAsked { task.control.captureNow() }
            sawDamage(at: time, damage ?? "it can't be read")
            return frame.release()
        }
        if outage.ended() { task.onLive(.back(time: time)) }
        let status = statistics.measure(.decide) { capture.observe(seen) }
        settle(status, seen)
        tell(status, quad, time)
        held.drop(before: status.steadySince ?? .infinity)
        held.keep(
            HeldFrame(
                frame: frame, time: time, quad: quad,
                sharpness: seen.measures?.sharpness ?? 0))
        throttle.finished(after: (ContinuousClock.now - start) / .seconds(1))
        if status.state == .capturing || isAsked {
            let isByHand = status.state != .capturing
            if isByHand { task.onLive(.capturing(time: time)) }
            if takesStills {
                wanted = WantedStill(time: time, seen: seen, isByHand: isByHand)
            } else {
                try keepPage(at: time, seen, isByHand: isByHand)
            }
        }
        nothingSeen(at: time)
    }

    /// Learns that the device left out a frame.
    mutating func skipped(_ error: CaptureError, at time: Double) {
        statistics.frames += 1
        sawDamage(at: time, error.message)
    }

    /// Counts a damaged frame; of a recording's first, and of a camera that sends nothing else, its
    /// user is told.
    private mutating func sawDamage(at time: Double, _ what: String) {
        statistics.damaged += 1
        if !task.isRecording {
            if let error = outage.damaged(at: time) { lost(error, at: time) }
        } else if statistics.damaged == 1 {
            task.onLive(
                .note(
                    time: time,
                    "A frame is damaged and left out: \(what). Further ones are only counted; see --stats."
                ))
        }
        nothingSeen(at: time)
    }

    /// Takes up what was drawn since the last frame; what is seen there now is the stand.
    private mutating func follow() {
        guard case .drawn(let before) = area, let region = task.control.region, region != before
        else { return }
        area = .drawn(region)
        var settings = task.settings
        settings.beginsEmpty = true
        capture = AutoCapture(settings: settings)
        held.drop()
    }

    /// Looks at a frame; nil when it is damaged.
    private mutating func look(
        _ frame: CapturedPage, at time: Double
    ) throws -> (LiveObservation, Quad?)? {
        do {
            try frame.withFrame { camera in
                try statistics.measure(.luma) { try reader.read(camera) }
            }
        } catch let error as ImagingError {
            damage = error.message
            return nil
        }
        if reader.isCut {
            damage = "its lower part is missing"
            return nil
        }
        statistics.looked += 1
        lookRate.looked(at: time)
        let (width, height) = (reader.luma.width, reader.luma.height)
        let place = tracker.lastQuad
        var (page, before, motion): (TrackedPage?, PageSignature?, Double?)
        var isStill = false
        switch area {
        case .search(let detector):
            before = statistics.measure(.decide) { lastLook?.again(in: reader.luma) }
            motion = before.flatMap { now in lastLook?.signature.map { now.motion(since: $0) } }
            isStill = motion.map { $0 <= PageSignature.stillMotion } ?? false
            if let before, let settled, before.motion(since: settled) > PageSignature.stillMotion {
                self.settled = nil
            }
            if !isStill { backdrop.moves() }
            var found = try search(with: detector, isStill, frame)
            var trust = QuadTracker.Trust.vote(1)
            if isStill, settled == nil, let seen = found {
                (found, trust) = statistics.measure(.decide) {
                    backdrop.judge(
                        seen, followed: place, in: reader.luma, found: task.settings.found,
                        sure: task.settings.ready)
                }
            }
            page = tracker.update(
                found, width: width, height: height, isStill: isStill, isSettled: settled != nil,
                trust: trust)
        case .fixed(let region), .drawn(let region):
            page = TrackedPage(quad: region.quad(width: width, height: height), confidence: 1)
        }
        var seen = LiveObservation(
            time: time, page: page, width: width, height: height, motion: motion)
        guard let page else {
            lastLook = nil
            return (seen, nil)
        }
        statistics.measure(.decide) {
            // What was captured is measured no more while nothing moves on it, and glare is no
            // matter while something does.
            lastLook = FollowedLook(
                at: page.quad, in: reader.luma,
                after: lastLook.flatMap { look in before.map { (look, $0) } },
                measures: isStill && settled != nil ? lastLook?.measures : nil,
                seeksGlare: isStill || motion == nil)
        }
        (seen.measures, seen.signature) = (lastLook?.measures, lastLook?.signature)
        return (seen, page.quad.scaled(x: scale.x, y: scale.y))
    }

    /// Looks once, and again and closely at what lies still and is to be captured: one look may
    /// take the edge of the sheet below for the page's.
    ///
    /// What was captured is looked at closely only where one look leaves in doubt what it is, or
    /// takes a side near the frame's for one beyond it.
    private mutating func search(
        with detector: any PageDetector, _ isStill: Bool, _ frame: CapturedPage
    ) throws -> DetectedPage? {
        let luma = reader.luma
        let found = try statistics.measure(.detect) { try detector.detect(in: luma) }
        guard isStill, let found else { return found }
        let isSure =
            found.confidence >= task.settings.ready
            && found.quad.isWhole(width: luma.width, height: luma.height)
        if settled != nil, isSure { return found }
        return try statistics.measure(.closer) {
            try closerLook.page(
                in: frame, width: reader.frameWidth, reducedTo: luma, sure: task.settings.ready,
                with: detector)
        } ?? found
    }

    /// Remembers what a captured page looks like once it lies steady.
    ///
    /// Its corners stay until something moves on it, whatever single looks take them for.
    private mutating func settle(_ status: LiveStatus, _ seen: LiveObservation) {
        let isSteady =
            status.steadySince.map { seen.time - $0 >= task.settings.steady - 1e-6 } ?? false
        if status.state == .capturing || status.reason == .captured {
            if isSteady { settled = settled ?? seen.signature }
            if settled != nil, !area.isFixed, let page = seen.page {
                backdrop.rests(page.quad, in: reader.luma, at: seen.time)
            }
        } else {
            settled = nil
        }
    }

    /// Pixels of the frame on one of the reduced picture.
    private var scale: (x: Double, y: Double) {
        (
            Double(reader.frameWidth) / Double(reader.luma.width),
            Double(reader.frameHeight) / Double(reader.luma.height)
        )
    }

    private func tell(_ status: LiveStatus, _ quad: Quad?, _ time: Double) {
        task.onLive(
            .seen(
                LiveView(
                    time: time, status: status, quad: quad, width: reader.frameWidth,
                    height: reader.frameHeight, rate: lookRate.value,
                    searchTime: statistics.times[.detect]?.last, pages: statistics.pages)))
    }

    // MARK: Pages

    /// Takes the still that was waited for; where it is none, or shows something else, the page is
    /// taken from the film.
    ///
    /// - Parameters:
    ///   - still: the picture, stored anywhere; it is not needed afterwards.
    ///   - failure: why there is none.
    ///   - seconds: how long it took.
    /// - Throws: ``HostError`` when the page can't be stored.
    mutating func take(
        still picture: CapturedPage?, failure: (any Error)?, after seconds: Double
    ) throws {
        guard let page = wanted else { return }
        wanted = nil
        statistics.took(.change, seconds)
        var reason = failure.map { captureError($0).message } ?? "none came"
        var stored: (page: CapturedPage, quad: Quad?)?
        if let picture {
            let match = StillMatch(seen: page.seen, area: area, settings: task.settings)
            let (store, number) = (self.still, task.spool.firstNumber + statistics.pages)
            do {
                stored = try statistics.measure(.still) {
                    try store.store(picture, match, number: number)
                }
            } catch let refusal as StillMatch.Refusal {
                reason = refusal.reason
            } catch let error as ImagingError {
                reason = error.message
            }
        }
        stills.took(seconds: seconds, isUsed: stored != nil)
        let now = page.time + seconds
        if let (captured, quad) = stored {
            finish(captured, quad, at: now, page.seen, isByHand: page.isByHand, isStill: true)
        } else {
            // Whoever stops meanwhile wants no explanation.
            if !(failure is CancellationError) {
                task.onLive(
                    .note(
                        time: now,
                        "The still is not used: \(reason). The page is taken from the film."))
            }
            try keepPage(at: now, page.seen, isByHand: page.isByHand)
        }
        if let surrender = stills.surrender {
            takesStills = false
            task.onLive(.note(time: now, surrender))
        }
        capture.lookedAway()
    }

    /// Notes a page that is stored.
    private mutating func finish(
        _ page: CapturedPage, _ quad: Quad?, at time: Double, _ seen: LiveObservation,
        isByHand: Bool, isStill: Bool
    ) {
        statistics.pages += 1
        lastActivity = time
        if isByHand { capture.capturedByHand(seen) }
        fresh.append(page)
        task.onLive(
            .captured(
                LivePage(
                    number: statistics.pages, time: time, quad: quad,
                    width: page.description.width, height: page.description.height ?? 0,
                    isByHand: isByHand, isStill: isStill)))
        if statistics.pages == task.limit { isFinished = true }
        held.drop()
    }

    /// Stores the best of the held frames that can be decoded.
    private mutating func keepPage(
        at time: Double, _ seen: LiveObservation, isByHand: Bool
    ) throws {
        let number = task.spool.firstNumber + statistics.pages
        var damage: ImagingError?
        let (still, area) = (still, area)
        for frame in held.bestFirst {
            do {
                // A fixed area is cut by the profile's own step, and one that was drawn is where it
                // was drawn.
                let frame = area.isFixed && !area.isDrawn ? frame.withoutQuad : frame
                let (page, quad) = try statistics.measure(.still) {
                    try still.store(frame, number: number, isExact: area.isDrawn)
                }
                return finish(page, quad, at: time, seen, isByHand: isByHand, isStill: false)
            } catch let error as ImagingError {
                statistics.damaged += 1
                damage = error
            }
        }
        if !isByHand { capture.captureFailed() }
        held.drop()
        let reason = damage?.message ?? "no frame of it is left"
        task.onLive(
            .missed(
                time: time,
                HostError(HostError.Code(.damagedData), "a page could not be captured: \(reason)")))
    }
}
