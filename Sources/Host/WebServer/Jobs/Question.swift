import Synchronization

/// A question that a job asks; the job waits until a client answers it.
final class Question: Sendable {
    private struct State {
        var waiting: CheckedContinuation<Bool, any Error>?
        /// An answer that arrived before anyone waited for it.
        var early: Bool?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Waits for the answer.
    ///
    /// - Throws: `CancellationError` when the task is canceled.
    func wait() async throws -> Bool {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Bool, any Error>? in
                    if state.isCancelled { return .failure(CancellationError()) }
                    if let early = state.early {
                        state.early = nil
                        return .success(early)
                    }
                    state.waiting = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.isCancelled = true
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Answers the question.
    func answer(_ goesOn: Bool) {
        let waiting = state.withLock { state in
            if state.waiting == nil { state.early = goesOn }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: goesOn)
    }
}
