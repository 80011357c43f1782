import CaptureHost
import CaptureKit

/// Whether a camera shows anything now, so that the user learns once that it does not, and once
/// that it does again.
struct Outage {
    /// Seconds of nothing but damaged frames after which the camera shows nothing: as long as the
    /// backend of cameras waits for a frame.
    static let patience = 3.0

    private var told: HostError.Code?
    /// The damaged frames since the last good one, and when the first of them was taken.
    private var damage: (since: Double, count: Int)?

    /// Nothing arrives any more; true if that, or its reason, is new.
    mutating func began(_ error: HostError) -> Bool {
        defer { (told, damage) = (error.code, nil) }
        return told != error.code
    }

    /// A good frame has come; true where that is news.
    mutating func ended() -> Bool {
        damage = nil
        defer { told = nil }
        return told != nil
    }

    /// A damaged frame has come; the error where nothing else came for too long.
    mutating func damaged(at time: Double) -> HostError? {
        let before = damage ?? (time, 0)
        damage = (before.since, before.count + 1)
        guard time - before.since >= Self.patience else { return nil }
        return HostError(
            HostError.Code(.stalled),
            "the camera has sent only damaged frames for \(Int(Self.patience)) s (\(before.count + 1) looked at)",
            advice: "Plug it into a port of its own, use a shorter cable, or choose a smaller size")
    }
}
