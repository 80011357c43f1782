import CaptureHost
import CaptureKit
import Detection
import Imaging

/// What is done with each frame of a watch, one after another: brightness, search, tracking, decision, and the page.
///
/// It blocks, and belongs on a queue of its own.
struct LiveAnalyser: ~Copyable {
    /// What a watch is asked to do.
    struct Task: Sendable {
        var settings: AutoCaptureSettings
        var area: LiveArea
        var spool: SpoolFolder
        /// The most pages; nil for no limit.
        var limit: Int?
        /// Seconds without a new page after which it ends; nil for never.
        var idle: Double?
        /// True for frames that all wait for their turn, so that nothing is gained by looking at fewer.
        var isRecording: Bool
        var control: LiveControl
        var onLive: @Sendable (LiveEvent) -> Void
    }

    private let task: Task
    private let still: StillStore
    private var reader = LumaReader()
    private var throttle: FrameThrottle
    private var tracker = QuadTracker()
    /// What was where the followed page is, when it was last looked at.
    private var lastLook: PageSignature?
    private var capture: AutoCapture
    private var held = HeldFrames()
    private var lastActivity: Double?
    private(set) var statistics = LiveStatistics()
    /// True when the limit is reached, or nothing happened for too long.
    private(set) var isFinished = false
    /// Pages that were captured since they were last fetched.
    private var fresh: [CapturedPage] = []

    init(_ task: Task) {
        self.task = task
        still = StillStore(spool: task.spool)
        var settings = task.settings
        settings.beginsEmpty = task.area.isFixed
        let most = settings.rate
        throttle = FrameThrottle(most: most, least: task.isRecording ? most : min(2, most))
        capture = AutoCapture(settings: settings)
    }

    /// The pages captured since the last call.
    mutating func fetch() -> [CapturedPage] {
        defer { fresh = [] }
        return fresh
    }

    /// Lets go of every frame, as when the camera is gone.
    mutating func reset() {
        held.drop()
        _ = tracker.update(nil, width: 1, height: 1)
    }

    /// Takes the next frame.
    ///
    /// - Parameter time: seconds since the watching began.
    /// - Throws: ``HostError`` when a page can't be stored, or the frames have a form that can't be read.
    mutating func take(_ frame: CapturedPage, at time: Double) throws {
        statistics.frames += 1
        guard !isFinished else { return frame.release() }
        let isAsked = task.control.takeRequest()
        guard throttle.isDue(at: time) || isAsked else { return frame.release() }
        let start = ContinuousClock.now
        guard let (seen, quad) = try look(frame, at: time) else { return frame.release() }
        let status = statistics.measure(.decide) { capture.observe(seen) }
        tell(status, quad, time)
        held.drop(before: status.steadySince ?? .infinity)
        held.keep(
            HeldFrame(
                frame: frame, time: time, quad: quad,
                sharpness: seen.measures?.sharpness ?? 0))
        throttle.finished(after: (ContinuousClock.now - start) / .seconds(1))
        if status.state == .capturing || isAsked {
            try keepPage(at: time, seen, isByHand: status.state != .capturing)
        }
        if let idle = task.idle {
            let since = lastActivity ?? time
            lastActivity = since
            if time - since >= idle { isFinished = true }
        }
    }

    /// Looks at a frame; nil when it is damaged.
    private mutating func look(
        _ frame: CapturedPage, at time: Double
    ) throws -> (LiveObservation, Quad?)? {
        do {
            try frame.withFrame { camera in
                try statistics.measure(.luma) { try reader.read(camera) }
            }
        } catch is ImagingError {
            statistics.damaged += 1
            return nil
        }
        statistics.looked += 1
        let (width, height) = (reader.luma.width, reader.luma.height)
        var (page, motion): (TrackedPage?, Double?)
        switch task.area {
        case .search(let detector):
            let found = try statistics.measure(.detect) { try detector.detect(in: reader.luma) }
            motion = measuredMotion()
            page = tracker.update(
                found, width: width, height: height,
                isStill: motion.map { $0 <= PageSignature.stillMotion } ?? false)
        case .fixed(let region):
            page = TrackedPage(quad: region.quad(width: width, height: height), confidence: 1)
        }
        var seen = LiveObservation(
            time: time, page: page, width: width, height: height, motion: motion)
        lastLook = nil
        guard let page else { return (seen, nil) }
        statistics.measure(.decide) {
            seen.measures = PageMeasures(of: page.quad, in: reader.luma)
            seen.signature = PageSignature(of: page.quad, in: reader.luma)
        }
        lastLook = seen.signature
        return (seen, page.quad.scaled(x: scale.x, y: scale.y))
    }

    /// How much of what was where the page is followed has changed since the last look; nil when nothing was followed.
    private mutating func measuredMotion() -> Double? {
        guard let place = tracker.lastQuad, let lastLook else { return nil }
        let luma = reader.luma
        return statistics.measure(.decide) {
            PageSignature(of: place, in: luma)?.motion(since: lastLook)
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
                    height: reader.frameHeight, rate: throttle.rate, pages: statistics.pages)))
    }

    // MARK: Pages

    /// Stores the sharpest of the held frames that can be decoded.
    private mutating func keepPage(
        at time: Double, _ seen: LiveObservation, isByHand: Bool
    ) throws {
        task.onLive(.capturing(time: time))
        let number = task.spool.firstNumber + statistics.pages
        var damage: ImagingError?
        let still = still
        for frame in held.bySharpness {
            do {
                // A fixed area is cut by the profile's own step.
                let frame = task.area.isFixed ? frame.withoutQuad : frame
                let (page, quad) = try statistics.measure(.still) {
                    try still.store(frame, number: number)
                }
                statistics.pages += 1
                lastActivity = time
                if isByHand { capture.capturedByHand(seen) }
                fresh.append(page)
                task.onLive(
                    .captured(
                        LivePage(
                            number: statistics.pages, time: time, quad: quad,
                            width: page.description.width, height: page.description.height ?? 0,
                            isByHand: isByHand)))
                if statistics.pages == task.limit { isFinished = true }
                return held.drop()
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

extension HeldFrame {
    /// The frame as if no page had been found in it.
    fileprivate var withoutQuad: HeldFrame {
        HeldFrame(frame: frame, time: time, quad: nil, sharpness: sharpness)
    }
}
