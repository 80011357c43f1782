import Imaging

/// Finds out since when a page and its contents have been still.
struct Steadiness: Sendable {
    private struct Moment: Sendable {
        var time: Double
        var page: TrackedPage
        var signature: PageSignature?
    }

    private let settings: AutoCaptureSettings
    private var moments: [Moment] = []
    /// The time when the stillness began; nil without a page.
    private(set) var since: Double?

    /// After this many seconds without a frame, it is unknown what happened to the page.
    private static let longestGap = 1.5

    init(settings: AutoCaptureSettings) { self.settings = settings }

    /// Starts over, without a page.
    mutating func reset() {
        moments = []
        since = nil
    }

    /// Handles the page of the next frame; returns how much of its contents changed since the frame
    /// before, 0…1, or 1 if unknown, after a gap.
    mutating func take(_ seen: LiveObservation, _ page: TrackedPage) -> Double {
        // In a frame without a detection, the corners are only assumed to be unchanged.
        guard page.missed == 0 else { return 0 }
        var motion = 0.0
        if let last = moments.last {
            if seen.time - last.time > Self.longestGap || seen.time <= last.time {
                reset()
                motion = 1
            } else if page.track != last.page.track {
                reset()
            } else {
                motion = seen.motion ?? seen.signature.motion(since: last.signature)
                if motion > PageSignature.stillMotion { reset() }
            }
        }
        if let away = moments.lastIndex(where: { isElsewhere(page, than: $0.page) }) {
            // Stillness begins after the last moment at which the page was elsewhere.
            moments.removeFirst(away + 1)
            since = moments.first?.time
        }
        moments.removeAll { $0.time < seen.time - settings.steady - Self.longestGap }
        moments.append(Moment(time: seen.time, page: page, signature: seen.signature))
        since = since ?? seen.time
        return motion
    }

    private func isElsewhere(_ page: TrackedPage, than earlier: TrackedPage) -> Bool {
        page.quad.drift(from: earlier.quad) >= settings.drift
            || page.quad.intersectionOverUnion(earlier.quad) <= settings.overlap
    }
}

extension PageSignature? {
    /// The part that moved between two looks, 0…1; 0 if one of them is missing.
    fileprivate func motion(since earlier: PageSignature?) -> Double {
        guard let self, let earlier else { return 0 }
        return self.motion(since: earlier)
    }
}
