import CaptureHost
import CaptureKit
import Detection
import Imaging
import Processing

/// Follows the page from frame to frame: searches it, distinguishes it from earlier pages, and
/// measures it.
struct PageFollower: ~Copyable {
    /// The result for one frame.
    struct Look {
        var seen: LiveObservation
        /// The page's corners in pixels of the frame; nil for none.
        var quad: Quad?
    }

    /// The reason why a frame can't be examined.
    struct DamagedFrame: Error {
        let reason: String
    }

    /// The area of the page in the current frame.
    private(set) var area: LiveArea
    private let settings: AutoCaptureSettings
    private var reader = LumaReader()
    private var closerLook = CloserLook()
    private var tracker = QuadTracker()
    /// The last look at the followed page.
    private var lastLook: FollowedLook?
    /// The appearance of the captured page, while nothing moves on it.
    private var settled: PageSignature?
    /// The view before the present page.
    private var backdrop = Backdrop()
    /// Finds things of the profile's shapes by the changes in the picture.
    private var arrivals: Arrivals

    init(_ area: LiveArea, settings: AutoCaptureSettings) {
        self.area = area
        self.settings = settings
        arrivals = Arrivals(shapes: settings.shapes)
    }

    /// The size of the last examined frame, in pixels.
    var frameSize: (width: Int, height: Int) { (reader.frameWidth, reader.frameHeight) }

    /// Applies the region that a user has drawn.
    ///
    /// - Returns: false when the region is the present one, or regions can't be drawn in this
    ///   watch.
    mutating func draw(_ region: Profile.Region?) -> Bool {
        guard case .drawn(let before) = area, let region, region != before else { return false }
        area = .drawn(region)
        return true
    }

    /// Forgets everything that was seen, as when the camera is gone.
    mutating func reset() {
        backdrop = Backdrop()
        arrivals = Arrivals(shapes: settings.shapes)
        _ = tracker.update(nil, width: 1, height: 1)
        lastLook = nil
    }

    /// Examines a frame.
    ///
    /// - Parameter time: the seconds since the watch began.
    /// - Throws: ``DamagedFrame``; ``HostError`` for a format that can't be read.
    mutating func look(
        _ frame: CapturedPage, at time: Double, _ statistics: inout LiveStatistics
    ) throws -> Look {
        do {
            try frame.withFrame { camera in
                try statistics.measure(.luma) { try reader.read(camera) }
            }
        } catch let error as ImagingError {
            throw DamagedFrame(reason: error.message)
        }
        if reader.isCut { throw DamagedFrame(reason: "its lower part is missing") }
        statistics.looked += 1
        let (width, height) = (reader.luma.width, reader.luma.height)
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
            page = try follow(with: detector, isStill, frame, &statistics)
        case .fixed(let region), .drawn(let region):
            page = TrackedPage(quad: region.quad(width: width, height: height), confidence: 1)
        }
        var seen = LiveObservation(
            time: time, page: page, width: width, height: height, motion: motion,
            camera: frame.description.metadata.map {
                CameraState(exposure: $0.exposure, gain: $0.gain, focus: $0.focus)
            })
        guard let page else {
            lastLook = nil
            return Look(seen: seen)
        }
        statistics.measure(.decide) {
            // A captured page need not be measured while nothing moves on it, and glare does not
            // matter while something moves.
            lastLook = FollowedLook(
                at: page.quad, in: reader.luma,
                after: lastLook.flatMap { look in before.map { (look, $0) } },
                measures: isStill && settled != nil ? lastLook?.measures : nil,
                seeksGlare: isStill || motion == nil)
        }
        (seen.measures, seen.signature) = (lastLook?.measures, lastLook?.signature)
        return Look(seen: seen, quad: page.quad.scaled(x: scale.x, y: scale.y))
    }

    /// Searches the frame that was read, and decides where the page is by all frames so far.
    private mutating func follow(
        with detector: any PageDetector, _ isStill: Bool, _ frame: CapturedPage,
        _ statistics: inout LiveStatistics
    ) throws -> TrackedPage? {
        let place = tracker.lastQuad
        var found: DetectedPage?
        var trust = QuadTracker.Trust.vote(1)
        if let arrived = statistics.measure(.decide, { arrivals.look(reader.luma) }) {
            found = DetectedPage(quad: arrived, confidence: Backdrop.confidence)
            trust = .certain
        } else {
            found = try search(with: detector, isStill, frame, &statistics)
        }
        if isStill, settled == nil, trust != .certain, let seen = found {
            (found, trust) = statistics.measure(.decide) {
                backdrop.judge(
                    seen, followed: place, in: reader.luma, found: settings.found,
                    sure: settings.ready)
            }
        }
        return tracker.update(
            found, width: reader.luma.width, height: reader.luma.height, isStill: isStill,
            isSettled: settled != nil, trust: trust)
    }

    /// Looks once, and again closely at a still page before its capture: a single look may mistake
    /// the edge of a sheet below for the page's.
    ///
    /// A captured page is examined closely only if one look is uncertain, or has a side too close
    /// to the frame's border.
    private mutating func search(
        with detector: any PageDetector, _ isStill: Bool, _ frame: CapturedPage,
        _ statistics: inout LiveStatistics
    ) throws -> DetectedPage? {
        let luma = reader.luma
        let found = try statistics.measure(.detect) { try detector.detect(in: luma) }
        guard isStill, let found else { return found }
        let isSure =
            found.confidence >= settings.ready
            && found.quad.isWhole(width: luma.width, height: luma.height)
        if settled != nil, isSure { return found }
        return try statistics.measure(.closer) {
            try closerLook.page(
                in: frame, width: reader.frameWidth, reducedTo: luma, sure: settings.ready,
                with: detector)
        } ?? found
    }

    /// Remembers a captured page's appearance once it is still.
    ///
    /// Its corners stay until something moves on it, whatever single looks find.
    mutating func settle(_ status: LiveStatus, _ seen: LiveObservation) {
        let isSteady =
            status.steadySince.map { seen.time - $0 >= settings.steady - 1e-6 } ?? false
        if status.state == .capturing || status.reason == .captured {
            if isSteady { settled = settled ?? seen.signature }
            if settled != nil, !area.isFixed, let page = seen.page {
                backdrop.rests(page.quad, in: reader.luma, at: seen.time)
            }
        } else {
            settled = nil
        }
    }

    /// The number of the frame's pixels for one pixel of the reduced picture.
    private var scale: (x: Double, y: Double) {
        (
            Double(reader.frameWidth) / Double(reader.luma.width),
            Double(reader.frameHeight) / Double(reader.luma.height)
        )
    }
}
