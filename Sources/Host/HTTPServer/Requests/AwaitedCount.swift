import Dispatch
import Synchronization

/// A count of running operations, for whose end a thread can wait.
final class AwaitedCount: Sendable {
    private struct State {
        var count = 0
        var waiting: [DispatchGroup] = []
    }

    private let state = Mutex(State())

    /// Counts an operation that starts.
    func begin() { state.withLock { $0.count += 1 } }

    /// Counts an operation that has ended.
    func end() {
        let waiting = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [DispatchGroup]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.leave() }
    }

    /// Returns when no operation is running, or at the deadline.
    func wait(until deadline: DispatchTime = .distantFuture) {
        // A semaphore waits by the time of day here: for years, once the clock is set back.
        let group = DispatchGroup()
        let isOver = state.withLock { state in
            guard state.count > 0 else { return true }
            group.enter()
            state.waiting.append(group)
            return false
        }
        guard !isOver, group.wait(timeout: deadline) == .timedOut else { return }
        let wasWaiting = state.withLock { state in
            let place = state.waiting.firstIndex { $0 === group }
            if let place { state.waiting.remove(at: place) }
            return place != nil
        }
        if wasWaiting { group.leave() }
    }
}
