/// Measures how many frames per second are examined, by the frames' own times.
///
/// The throttle's rate is the maximum; a camera may send fewer frames, for example in the dark.
struct LookRate {
    /// The seconds over which looks are counted: long enough for a steady number at two per second.
    private static let span = 2.0

    private var times: [Double] = []

    /// The frames per second in the last two seconds; 0 before the second look.
    var value: Double {
        guard let first = times.first, let last = times.last, last > first else { return 0 }
        return Double(times.count - 1) / (last - first)
    }

    /// Counts a look at a frame with this time in seconds; if the clock jumped back, the count
    /// starts over.
    mutating func looked(at time: Double) {
        if let last = times.last, time <= last { times = [] }
        times.append(time)
        // One look before the span is kept as a start if there is no other.
        while times.count > 2, let first = times.first, time - first > Self.span {
            times.removeFirst()
        }
    }
}
