import Dispatch
import Synchronization

/// A count of running things, whose end a thread can wait for.
final class AwaitedCount: Sendable {
    private struct State {
        var count = 0
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    /// Notes that one more has started.
    func begin() { state.withLock { $0.count += 1 } }

    /// Notes that one has ended.
    func end() {
        let waiting = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [DispatchSemaphore]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.signal() }
    }

    /// Returns once none is running, or the time has come.
    func wait(until deadline: DispatchTime = .distantFuture) {
        let semaphore = DispatchSemaphore(value: 0)
        let isOver = state.withLock { state in
            if state.count > 0 { state.waiting.append(semaphore) }
            return state.count == 0
        }
        if !isOver { _ = semaphore.wait(timeout: deadline) }
    }
}
