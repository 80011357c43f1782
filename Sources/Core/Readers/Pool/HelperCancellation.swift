import Synchronization

/// Connects a question with the helper that works on it, so that canceling the question ends the
/// helper.
final class HelperCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var helper: HelperProcess?
    }
    private let state = Mutex(State())

    /// Records the helper that works on the question; false when the question was canceled.
    func begin(with helper: HelperProcess) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.helper = helper
            return true
        }
    }

    /// Releases the helper; false when it was killed, or is about to be.
    func end() -> Bool {
        state.withLock { state in
            state.helper = nil
            return !state.isCancelled
        }
    }

    /// Ends the helper that works on the question, and prevents others from beginning.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // This is under the lock, because a released helper works for others and must not be
            // ended.
            state.helper?.kill()
        }
    }
}
