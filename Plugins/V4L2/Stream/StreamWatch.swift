import CaptureKit

/// Notices that a camera has fallen silent.
struct StreamWatch {
    private let patience: CameraStream.Patience
    private var last: ContinuousClock.Instant
    private var isFirst = true
    /// Damaged frames since the last good one.
    var damaged = 0
    /// True after a JPEG picture with an end marker; then, pictures without one are incomplete.
    private(set) var isEndKnown = false

    init(patience: CameraStream.Patience, now: ContinuousClock.Instant) {
        self.patience = patience
        last = now
    }

    /// The maximum time for which the camera may send no frame at present.
    var limit: Duration { isFirst ? patience.first : patience.next }

    /// The remaining patience.
    func left(_ now: ContinuousClock.Instant) -> Duration { limit - (now - last) }

    /// Records that a good frame has arrived.
    mutating func good(_ now: ContinuousClock.Instant, hasEnd: Bool) {
        last = now
        isFirst = false
        damaged = 0
        if hasEnd { isEndKnown = true }
    }
}
