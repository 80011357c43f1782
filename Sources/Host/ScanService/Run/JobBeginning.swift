/// Writes a new job's record to the disk while its device is being opened and set.
///
/// A page must not be captured before the record of its job is there.
struct JobBeginning: Sendable {
    private let writing: Task<Void, any Error>

    /// Begins to write the record of a ledger, on a thread of its own.
    init(_ ledger: JobLedger) {
        writing = Task {
            let result = await OwnQueue(label: "copystand.job.record").run {
                Result { try ledger.begin() }
            }
            try result.get()
        }
    }

    /// Waits until the record is on the disk.
    ///
    /// - Throws: ``JobError`` when it can't be written.
    func isRecorded() async throws { try await writing.value }
}

/// A feed that begins when its job is on record.
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
