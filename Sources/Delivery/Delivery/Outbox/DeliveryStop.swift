import Dispatch
import Synchronization

/// Breaks off deliveries that are under way, because the program is about to end.
///
/// What is broken off stays in the outbox, and is due at once.
public final class DeliveryStop: Sendable {
    private struct State {
        var end: ContinuousClock.Instant?
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    /// A stop that nobody has asked for yet.
    public init() {}

    /// Lets deliveries go on for so long, and then breaks them off; a second call changes nothing.
    public func request(after grace: Duration) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = .now + grace }
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.signal() }
    }

    /// Waits so long, or until deliveries are to be broken off.
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

    /// Whether deliveries are to be broken off now.
    public var isDue: Bool { state.withLock { $0.end.map { ContinuousClock.now >= $0 } ?? false } }
}
