import Synchronization

/// Set once, from any thread, when the work is no longer wanted.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// Milliseconds since it was made, by any clock.
struct Stopwatch {
    private let elapsed: () -> Duration

    init(_ clock: any Clock<Duration>) {
        func start<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
            let begin = clock.now
            return { begin.duration(to: clock.now) }
        }
        elapsed = start(clock)
    }

    var milliseconds: Double {
        let (seconds, attoseconds) = elapsed().components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}
