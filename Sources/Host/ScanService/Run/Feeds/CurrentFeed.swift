import Synchronization

/// Runs the activities of a feed one after the other, captures and questions; a stop ends the
/// current one.
final class CurrentFeed: Sendable {
    private struct State {
        var isStopped = false
        /// Ends the current or last activity; ending a finished one is harmless.
        var end: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// Ends the current activity, and prevents later ones.
    func stop() {
        let end = state.withLock { state in
            state.isStopped = true
            return state.end
        }
        end()
    }

    /// Feeds the pages of one capture to `take`.
    ///
    /// - Throws: the reason why the capture ended early; `CancellationError` after a stop.
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

    /// Stores how the next activity is ended; true if the feed was stopped already.
    private func begin(_ end: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            state.end = end
            return state.isStopped
        }
    }
}
