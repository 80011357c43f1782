import Dispatch
import Synchronization

/// Stops deliveries in progress when the program is about to end.
///
/// A stopped delivery stays in the outbox, and is due immediately.
public final class DeliveryStop: Sendable {
    private struct State {
        var end: ContinuousClock.Instant?
        var waiting: [DispatchGroup] = []
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
        for one in waiting { one.leave() }
    }

    /// Waits this long, or until deliveries must stop.
    func wait(_ seconds: Double) {
        let limit = ContinuousClock.now + .seconds(seconds)
        while true {
            // A semaphore waits by the time of day here: for years, once the clock is set back.
            let group = DispatchGroup()
            group.enter()
            let until = state.withLock { state in
                state.waiting.append(group)
                return min(limit, state.end ?? limit)
            }
            let left = (until - .now) / .seconds(1)
            let hasCome = left <= 0 || group.wait(timeout: .now() + left) == .timedOut
            let wasWaiting = state.withLock { state in
                let place = state.waiting.firstIndex { $0 === group }
                if let place { state.waiting.remove(at: place) }
                return place != nil
            }
            if wasWaiting { group.leave() }
            if hasCome { return }
        }
    }

    /// True if deliveries must stop now.
    public var isDue: Bool { state.withLock { $0.end.map { ContinuousClock.now >= $0 } ?? false } }
}
