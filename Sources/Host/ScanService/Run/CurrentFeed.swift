import Synchronization

/// The current activity of a feed of several captures: a capture or a question, one after the
/// other; a stop ends either.
final class CurrentFeed: Sendable {
    private struct State {
        var isStopped = false
        /// Ends the current or most recent activity; ending the latter is harmless.
        var end: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// Ends the current activity, and whatever would begin after it.
    func stop() {
        let end = state.withLock { state in
            state.isStopped = true
            return state.end
        }
        end()
    }

    /// Feeds the pages of one capture to `take`.
    ///
    /// - Throws: what ended the capture early; `CancellationError` when stopped before or
    ///   meanwhile.
    func run(
        _ feed: any PageFeed, _ onEvent: @escaping @Sendable (ScanEvent) -> Void,
        take: @Sendable (FedPage) -> Void
    ) async throws {
        if begin({ feed.stop() }) { throw CancellationError() }
        try await feed.run(onEvent, take: take)
    }

    /// The answer to a question, which is asked in a task that a stop cancels.
    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let task = Task { try await question() }
        if begin({ task.cancel() }) { task.cancel() }
        return try await task.value
    }

    /// Keeps how the next thing is ended; true when it was stopped already.
    private func begin(_ end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            state.end = end
            return state.isStopped
        }
    }
}
