import BlockingWork

/// Runs a device's blocking decoding on a separate queue, outside of the cooperative pool, one call
/// after the other.
///
/// Unchecked because `source` and `recording`, which hold C handles that are not thread-safe, are
/// touched only by closures on the serial queue.
final class ImportWorker: @unchecked Sendable {
    private let queue = OwnQueue(label: "copystand.file-import")

    /// The file open at present; only for closures given to ``run(_:)``.
    var source: (any PageSource)?

    /// The recording that is played at present; only for closures given to ``run(_:)``.
    var recording: (any RecordingSource)?

    /// Runs `body` on the queue; the flag that it gets is raised if the task is canceled.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (CancelFlag) throws -> Result
    ) async throws -> Result {
        let flag = CancelFlag()
        return try await withTaskCancellationHandler {
            try await queue.run { try body(flag) }
        } onCancel: {
            flag.cancel()
        }
    }
}
