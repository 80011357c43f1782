import CaptureHost
import CaptureKit

/// Determines whether a camera shows a picture, so that the user is informed once when it stops,
/// and once when it works again.
struct Outage {
    /// After this many seconds with only damaged frames, the camera counts as showing nothing: as
    /// long as a camera's backend waits for a frame.
    static let patience = 3.0

    private var reported: HostError.Code?
    /// The time of the first damaged frame since the last good one, and their number.
    private var damage: (since: Double, count: Int)?

    /// Records that no more frames arrive; true if this, or its reason, is new.
    mutating func began(_ error: HostError) -> Bool {
        defer { (reported, damage) = (error.code, nil) }
        return reported != error.code
    }

    /// Records a good frame; true if the camera showed nothing before.
    mutating func ended() -> Bool {
        damage = nil
        defer { reported = nil }
        return reported != nil
    }

    /// Records a damaged frame; returns an error if only damaged ones arrived for too long.
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
