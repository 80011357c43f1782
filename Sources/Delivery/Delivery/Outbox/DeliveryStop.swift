import Dispatch
import Synchronization

/// Stops deliveries in progress when the program is about to end.
///
/// A stopped delivery stays in the outbox, and is due immediately.
public final class DeliveryStop: Sendable {
    private struct State {
        var end: ContinuousClock.Instant?
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    /// A stop that nobody has asked for yet.
    public init() {}

    /// Lets deliveries continue for this long, and then stops them; a second call changes nothing.
    public func request(after grace: Duration) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = .now + grace }
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.signal() }
    }

    /// Waits this long, or until deliveries must stop.
    func wait(_ seconds: Double) {
        let limit = ContinuousClock.now + .seconds(seconds)
        while true {
            let semaphore = DispatchSemaphore(value: 0)
            let until = state.withLock { state in
                state.waiting.append(semaphore)
                return min(limit, state.end ?? limit)
            }
            let left = (until - .now) / .seconds(1)
            let hasCome = left <= 0 || semaphore.wait(timeout: .now() + left) == .timedOut
            state.withLock { $0.waiting.removeAll { $0 === semaphore } }
            if hasCome { return }
        }
    }

    /// True if deliveries must stop now.
    public var isDue: Bool { state.withLock { $0.end.map { ContinuousClock.now >= $0 } ?? false } }
}
