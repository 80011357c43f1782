import BlockingWork
import Archive
import PostgreSQL
import WorkQueue

/// A connection to the queue on a thread of its own, which is opened again after it was lost.
///
/// `@unchecked Sendable`: the queue is used only on that thread.
final class QueueLine: @unchecked Sendable {
    private let place: String
    private let queue: OwnQueue
    private var open: WorkQueue?

    /// A line to the queue of an archive's database; it is opened when it is first used.
    init(_ place: String, purpose: String) {
        self.place = place
        queue = OwnQueue(label: "copystand.queue.\(purpose)")
    }

    /// Runs blocking work with the queue.
    ///
    /// - Throws: `ArchiveError`.
    func use<Value: Sendable>(
        _ body: @escaping @Sendable (WorkQueue) throws -> Value
    ) async throws -> Value {
        try await queue.run { try self.now(body) }
    }

    private func now<Value>(_ body: (WorkQueue) throws -> Value) throws -> Value {
        do {
            let queue = try open ?? WorkQueue(PostgreSQLAddress(place))
            open = nil
            defer { if queue.database.isIdle { open = queue } }
            return try body(queue)
        } catch { throw ArchiveError.wrapping(error, path: place) }
    }
}
