import Synchronization

/// Wakes tasks that wait for work, one for each ring.
final class Bell: Sendable {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// True if it rang while nobody waited.
        var isRung = false
    }

    private let state = Mutex(State())

    /// Waits until it rings; returns at once if it has rung since the last wait.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isRung = state.withLock { state in
                defer { state.isRung = false }
                if !state.isRung { state.waiting.append(continuation) }
                return state.isRung
            }
            if isRung { continuation.resume() }
        }
    }

    /// Wakes one task.
    func ring() {
        state.withLock { state in
            guard let first = state.waiting.popLast() else {
                state.isRung = true
                return nil as CheckedContinuation<Void, Never>?
            }
            return first
        }?.resume()
    }

    /// Wakes every task.
    func ringAll() {
        let all = state.withLock { state in
            defer { state.waiting = [] }
            state.isRung = true
            return state.waiting
        }
        for continuation in all { continuation.resume() }
    }
}
