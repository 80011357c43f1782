/// A point in time by which an exchange must be over.
struct Deadline: Sendable {
    /// The whole time allowed, in milliseconds.
    let limit: Int
    private let remaining: @Sendable () -> Duration

    /// `limit` from now on `clock`.
    init(_ limit: Duration, on clock: any Clock<Duration>) {
        self.limit = limit.milliseconds
        remaining = Self.countdown(limit, on: clock)
    }

    private static func countdown<C: Clock<Duration>>(
        _ limit: Duration, on clock: C
    ) -> @Sendable () -> Duration {
        let end = clock.now.advanced(by: limit)
        return { clock.now.duration(to: end) }
    }

    /// What is left, for `poll`: at least 1 and at most a second, so that an injected clock is
    /// looked at; nil when it is past.
    var millisecondsLeft: Int32? {
        let left = remaining()
        return left > .zero ? Int32(min(max(left.milliseconds, 1), 1000)) : nil
    }
}

extension Duration {
    /// Whole milliseconds, at most some 24 days.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        if seconds > 2_000_000 { return 2_000_000_000 }
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
