import Imaging

/// Decides when a page in front of a camera is captured: once, when it is still, complete, sharp
/// and well lit.
///
/// This is a pure reducer without a camera or clock: the same observations give the same decisions.
///
///     var capture = AutoCapture(settings: AutoCaptureSettings())
///     let status = capture.observe(observation)
///     if status.state == .capturing { … }
///
/// A captured page is not captured again, however long it stays, even if it is moved, covered or
/// removed for a while. A new page may replace it, slide on top of it, or be its other side. The
/// decision depends on how much the page's contents changed. The more has happened to the page
/// meanwhile, the smaller a change is enough.
public struct AutoCapture: Sendable {
    /// The thresholds.
    public let settings: AutoCaptureSettings
    private var isFound = false
    private var isSure = false
    private var steadiness: Steadiness
    private var memory = PageMemory()
    /// The number of captured pages; before the first one, the view shows the empty stand.
    private var captured = 0
    private var bestSharpness = 0.0
    private var lastSharpness: Double?
    /// The camera's latest state, and the time when it last adjusted itself.
    private var lastCamera: CameraState?
    private var adjusted: Double?
    /// Seconds for which a camera's exposure and focus must stay unchanged; automatic ones change
    /// in steps, with some frames in between.
    private static let settling = 0.25
    /// If a picture is this many times as sharp as the previous one, the camera is still focusing.
    private static let focusing = 1.2

    /// The reducer of a session.
    public init(settings: AutoCaptureSettings) {
        self.settings = settings
        steadiness = Steadiness(settings: settings)
    }

    /// Handles the next observation.
    ///
    /// - Returns: the page's stage. `capturing` asks to capture the page now; the reducer then
    ///   counts the page as captured.
    public mutating func observe(_ seen: LiveObservation) -> LiveStatus {
        let isAdjusting = isAdjusting(seen)
        guard let page = seen.page, isBelieved(page) else {
            isSure = false
            lastSharpness = nil
            steadiness.reset()
            memory.sawNothing(at: seen.time)
            return status(.searching, seen.page == nil ? .noPage : .unclear, seen)
        }
        isSure = page.confidence >= settings.ready - (isSure ? settings.hysteresis : 0)
        let isFocusing = isFocusing(seen)
        if let sharpness = seen.measures?.sharpness {
            bestSharpness = max(bestSharpness, sharpness)
            lastSharpness = sharpness
        }
        let motion = steadiness.take(seen, page)
        memory.saw(page, at: seen.time, motion: motion)
        guard isSure else { return status(.found, .unclear, seen) }
        if let hindrance = hindrance(page, seen) { return status(.ready, hindrance, seen) }
        // In a frame without a detection, the page's place is only an assumption.
        guard page.missed == 0, let signature = seen.signature else {
            return status(.ready, .moving, seen)
        }
        guard let since = steadiness.since, seen.time - since >= settings.steady - 1e-6 else {
            return memory.isPlainlyOld(signature) ? known(seen) : status(.ready, .moving, seen)
        }
        if memory.isEmpty, settings.beginsEmpty {
            memory.begin(on: signature, page)
            return known(seen)
        }
        guard memory.isNew(signature, steadySince: since) else {
            // A view without content is never a new page, and never the captured one.
            return memory.isEmpty ? status(.ready, .unclear, seen) : known(seen)
        }
        if settings.isManual { return status(.ready, .byHand, seen) }
        // A camera that never stops adjusting, or a page that is never sharp, must not block the
        // capture.
        if seen.time - since < settings.steady + settings.patience {
            if isAdjusting { return status(.ready, .adjusting, seen) }
            if !isSharp(seen) || isFocusing { return status(.ready, .blurred, seen) }
        }
        memory.captured(signature, page)
        captured += 1
        return status(.capturing, nil, seen)
    }

    /// Records a page that was captured by hand, so that it is not captured automatically too.
    public mutating func capturedByHand(_ seen: LiveObservation) {
        guard let page = seen.page, let signature = seen.signature else { return }
        memory.captured(signature, page)
        captured += 1
    }

    /// The status of a known view: a captured page or, before the first one, the empty stand.
    private func known(_ seen: LiveObservation) -> LiveStatus {
        settings.beginsEmpty && captured == 0
            ? status(.searching, .noPage, seen) : status(.ready, .captured, seen)
    }

    /// Reverts the last decision to capture, because the page could not be captured.
    public mutating func captureFailed() {
        memory.forgetLast()
        captured -= 1
    }

    /// Records a time without observations, in which another page may have replaced the captured
    /// one.
    public mutating func lookedAway() {
        steadiness.reset()
        memory.wasUnseen()
    }

    private mutating func isBelieved(_ page: TrackedPage) -> Bool {
        isFound = page.confidence >= settings.found - (isFound ? settings.hysteresis : 0)
        return isFound
    }

    private func hindrance(_ page: TrackedPage, _ seen: LiveObservation) -> WaitReason? {
        // A fixed region may cover the whole picture.
        if !settings.beginsEmpty {
            guard page.quad.isWhole(width: seen.width, height: seen.height) else {
                return .cutOff
            }
            let frame = Double(seen.width) * Double(seen.height)
            if page.quad.area < settings.size * frame { return .tooSmall }
        }
        guard let measures = seen.measures else { return nil }
        if Double(measures.paper) < settings.brightness { return .tooDark }
        return measures.glare > settings.glare ? .glare : nil
    }

    private func isSharp(_ seen: LiveObservation) -> Bool {
        relativeSharpness(seen).map { $0 >= settings.sharpness } ?? true
    }

    private func isFocusing(_ seen: LiveObservation) -> Bool {
        guard let sharpness = seen.measures?.sharpness, let lastSharpness else { return false }
        return sharpness > Self.focusing * lastSharpness
    }

    /// True if the camera reports that it has just changed its exposure or focus.
    private mutating func isAdjusting(_ seen: LiveObservation) -> Bool {
        if let camera = seen.camera {
            if let lastCamera, camera.isAdjusted(since: lastCamera) { adjusted = seen.time }
            lastCamera = camera
        }
        return adjusted.map { seen.time >= $0 && seen.time - $0 < Self.settling } ?? false
    }

    private func relativeSharpness(_ seen: LiveObservation) -> Double? {
        guard bestSharpness > 0 else { return nil }
        return seen.measures?.sharpness.map { min(1, $0 / bestSharpness) }
    }

    private func status(
        _ state: LiveState, _ reason: WaitReason?, _ seen: LiveObservation
    ) -> LiveStatus {
        LiveStatus(
            state: state, reason: reason, confidence: seen.page?.confidence ?? 0,
            sharpness: relativeSharpness(seen), steadySince: steadiness.since)
    }
}
