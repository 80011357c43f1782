/// The time since a moment, on a clock of any kind.
package struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// Begins now.
    package init(_ clock: any Clock<Duration>) {
        func start<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
            let begin = clock.now
            return { begin.duration(to: clock.now) }
        }
        read = start(clock)
    }

    /// The time since it began.
    package var elapsed: Duration { read() }

    /// The same in milliseconds.
    package var milliseconds: Double { elapsed / .milliseconds(1) }
}
