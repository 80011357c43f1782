/// Chooses the frames of a camera to examine, so that the processor has time for other work.
///
/// Frames are chosen at regular intervals, ``rate`` per second. If examining them takes more than
/// its share of the time, because the machine is slow or busy, the rate falls immediately; with
/// every quick look it rises again by a tenth.
///
///     var throttle = FrameThrottle()
///     if throttle.isDue(at: frame.time) {
///         let seconds = look(at: frame)
///         throttle.finished(after: seconds)
///     }
public struct FrameThrottle: Sendable {
    /// The present number of examined frames per second.
    public private(set) var rate: Double
    private let most: Double
    private let least: Double
    private let share: Double
    private var next: Double?
    private var cost: Double?

    /// A throttle that begins at its highest rate.
    ///
    /// - Parameters:
    ///   - most: the maximum number of frames per second, above 0; 12 unless given.
    ///   - least: the minimum number of frames per second, however busy the machine; 2 unless
    ///     given.
    ///   - share: the part of the time that examining may take, 0…1; 0.5 unless given.
    public init(most: Double = 12, least: Double = 2, share: Double = 0.5) {
        self.most = max(0.1, most)
        self.least = min(max(0.1, least), self.most)
        self.share = min(max(share, 0.01), 1)
        rate = self.most
    }

    /// True if the frame with this time in seconds should be examined; times may jump in either
    /// direction.
    public mutating func isDue(at time: Double) -> Bool {
        guard let due = next else {
            next = time + 1 / rate
            return true
        }
        // If the clock jumps back, as when a recording starts over, the intervals start over too.
        if time < due - 2 / rate {
            next = time + 1 / rate
            return true
        }
        // Camera clocks jitter by less than a millisecond.
        guard time >= due - 0.001 else { return false }
        // The intervals stay regular, so that 30 frames per second give 12 and not 10; after a
        // pause they restart.
        next = time > due + 1 / rate ? time + 1 / rate : due + 1 / rate
        return true
    }

    /// Records the time that examining a frame took, in seconds.
    public mutating func finished(after seconds: Double) {
        guard seconds.isFinite, seconds >= 0 else { return }
        let smoothed = cost.map { $0 + 0.3 * (seconds - $0) } ?? seconds
        cost = smoothed
        let bearable = smoothed > 0 ? share / smoothed : most
        rate = max(least, min(most, bearable, rate * 1.1))
    }
}
