import BlockingWork

/// Writes a new job's record to the disk while its device is opened and set.
///
/// No page may be captured before its job's record is on the disk.
struct JobBeginning: Sendable {
    private let writing: Task<Void, any Error>

    /// Starts to write the record of a ledger, on a separate thread.
    init(_ ledger: JobLedger) {
        writing = Task { try await onOwnThread { try ledger.begin() } }
    }

    /// Waits until the record is on the disk.
    ///
    /// - Throws: ``JobError`` when the record can't be written.
    func isRecorded() async throws { try await writing.value }
}

/// A feed that starts when its job's record is on the disk.
struct BegunFeed: PageFeed {
    let feed: any PageFeed
    let beginning: JobBeginning

    func stop() { feed.stop() }

    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        try await beginning.isRecorded()
        try await feed.run(onEvent, take: take)
    }
}
