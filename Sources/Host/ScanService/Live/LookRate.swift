/// How many frames per second are examined, by when they were taken.
///
/// The throttle's rate is the maximum; a camera that sends fewer frames, in the dark for example,
/// sets the pace itself.
struct LookRate {
    /// Seconds over which looks are counted: long enough for a steady figure at two a second.
    private static let span = 2.0

    private var times: [Double] = []

    /// Frames a second of the last two seconds; 0 before the second look.
    var value: Double {
        guard let first = times.first, let last = times.last, last > first else { return 0 }
        return Double(times.count - 1) / (last - first)
    }

    /// Counts a look at a frame that was taken at this time, in seconds; a clock that jumped back
    /// starts over.
    mutating func looked(at time: Double) {
        if let last = times.last, time <= last { times = [] }
        times.append(time)
        // The look before the span is kept where nothing else is left to measure from.
        while times.count > 2, let first = times.first, time - first > Self.span {
            times.removeFirst()
        }
    }
}
