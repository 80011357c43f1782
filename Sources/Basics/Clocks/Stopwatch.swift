/// A stopwatch: the time since it was made, on a clock of any kind.
package struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// A stopwatch that starts now.
    package init(_ clock: any Clock<Duration>) {
        func start<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
            let begin = clock.now
            return { begin.duration(to: clock.now) }
        }
        read = start(clock)
    }

    /// The time since the stopwatch was made.
    package var elapsed: Duration { read() }

    /// ``elapsed`` in milliseconds.
    package var milliseconds: Double { elapsed / .milliseconds(1) }
}
