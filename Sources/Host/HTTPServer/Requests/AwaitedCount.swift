import Dispatch
import Synchronization

/// A count of running operations, for whose end a thread can wait.
final class AwaitedCount: Sendable {
    private struct State {
        var count = 0
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    /// Counts an operation that starts.
    func begin() { state.withLock { $0.count += 1 } }

    /// Counts an operation that has ended.
    func end() {
        let waiting = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [DispatchSemaphore]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.signal() }
    }

    /// Returns when no operation is running, or at the deadline.
    func wait(until deadline: DispatchTime = .distantFuture) {
        let semaphore = DispatchSemaphore(value: 0)
        let isOver = state.withLock { state in
            if state.count > 0 { state.waiting.append(semaphore) }
            return state.count == 0
        }
        if !isOver { _ = semaphore.wait(timeout: deadline) }
    }
}
