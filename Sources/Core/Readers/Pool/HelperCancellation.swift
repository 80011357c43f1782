import Synchronization

/// Ties one question to the helper that works on it, so that canceling the question ends the
/// helper.
final class HelperCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var helper: HelperProcess?
    }
    private let state = Mutex(State())

    /// Notes who works on the question; false when it is no longer asked.
    func begin(with helper: HelperProcess) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.helper = helper
            return true
        }
    }

    /// Releases the helper; false when it has been killed, or is about to be.
    func end() -> Bool {
        state.withLock { state in
            state.helper = nil
            return !state.isCancelled
        }
    }

    /// Ends the helper that works on the question, and keeps others from beginning.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Under the lock: a helper that was released serves others and must not be ended.
            state.helper?.kill()
        }
    }
}
