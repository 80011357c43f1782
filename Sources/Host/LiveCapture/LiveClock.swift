/// Puts the times of frames on one clock that never runs backwards: seconds since the watch began.
///
/// A camera's own clock may start at any number and restarts when the camera returns, but it is
/// more exact than the arrival times of frames.
struct LiveClock: Sendable {
    /// The frames per second of a recording without times.
    private static let assumedRate = 12.0
    /// If a camera's clock is wrong by more than this, in seconds, it is set again.
    private static let tolerance = 0.5

    private let isRecording: Bool
    private var offset: Double?
    private(set) var last = 0.0

    /// A clock.
    ///
    /// - Parameter isRecording: true for frames that arrive as fast as they are read: only their
    ///   own times count.
    init(isRecording: Bool) { self.isRecording = isRecording }

    /// The time of the next frame.
    ///
    /// - Parameters:
    ///   - device: the time on the device's clock; nil if it reports none.
    ///   - elapsed: the seconds since the watch began.
    mutating func time(device: Double?, elapsed: Double) -> Double {
        guard let device else {
            last = isRecording ? last + 1 / Self.assumedRate : max(last, elapsed)
            return last
        }
        var time = device + (offset ?? 0)
        let isOff = isRecording ? time < last : abs(time - elapsed) > Self.tolerance || time < last
        if offset == nil || isOff {
            let start = isRecording ? last : max(last, elapsed)
            offset = start - device
            time = start
        }
        last = time
        return time
    }
}
