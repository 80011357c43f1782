import CaptureHost
import CaptureKit
public import Delivery
public import JobOptions
import Processing

// Continuing interrupted jobs.
extension ScanService {
    /// Delivers the pages of an interrupted job; files that were not all read are read again, if
    /// they still exist.
    ///
    /// An untouched file that the job delivered before is replaced. A stack that was not captured
    /// completely stays open for ``append(to:_:control:onEvent:)``.
    ///
    /// - Parameters:
    ///   - outputs: replace the order's outputs; empty for the order's own.
    ///   - options: replace those of the order that are given.
    ///   - protection: the passwords of the PDF, which a job does not keep.
    ///   - password: the password of the files that are read again, which a job does not keep
    ///     either.
    /// - Throws: the errors of ``run(_:control:onEvent:)``; the job stays unchanged then.
    public func resume(
        _ job: StoredJob, outputs: [String], options: JobSettings = JobSettings(),
        protection: PDFProtection? = nil, password: String? = nil,
        control: ScanControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws -> ScanOutcome {
        let folder = try JobFolder(path: job.folder)
        try folder.checkFiles()
        var record = try record(of: job, outputs)
        if !outputs.isEmpty { record.send(to: outputs) }
        record.order.options.merge(options)
        if let password {
            let secret = ScanOrder.Setting(option: ScanOrder.secretOption, value: password)
            record.order.settings.append(secret)
        }
        try record.unlock(with: protection)
        let profile = try profile(for: record.order)
        let ledger = JobLedger(record, in: folder.path)
        let spool = SpoolFolder(path: folder.path)
        try spool.takeUp()
        let held = try spooled(spool, record)
        let mark = CaptureMark.read(from: folder.path, for: record)
        let isUnread = record.interruption?.code == Interruption.unread
        let isWhole =
            record.isOfFiles ? !isUnread && mark?.pages == held.count : mark != nil
        guard record.isOfFiles, !isWhole, let files = try await findFiles(record, held) else {
            return try await run(
                SpoolFeed(pages: held), profile, ledger: ledger, folder: folder, control: control,
                onEvent: onEvent, extent: isWhole ? .whole : .brokenOff)
        }
        let next = (try spool.pageNumbers().last ?? 0) + 1
        try ledger.update { record in
            record.rereadFrom = next
            record.beginCapture(first: next, side: .asTheyCome)
        }
        let feed = RereadFeed(
            held: held,
            files: DeviceFeed(
                host: host, devices: files.found, order: record.order, spool: folder.path,
                window: holding.most + 2, start: DeviceFeed.Start(page: next)))
        return try await run(
            SkippingFeed(skipped: files.missing, feed: feed), profile, ledger: ledger,
            folder: folder, control: control, onEvent: onEvent,
            extent: files.missing.isEmpty ? .whole : .withoutSomeFiles)
    }

    /// The record with its order; if the order can't be read and outputs are given, a record that
    /// leaves pages unchanged.
    private func record(of job: StoredJob, _ outputs: [String]) throws -> JobRecord {
        do {
            return try JobRecord.read(from: job.folder)
        } catch {
            guard !outputs.isEmpty else { throw error }
            let files = try OwnFiles.paths(in: job.folder).map { "file:" + $0 }
            var record = JobRecord(
                ScanOrder(sources: [], outputs: outputs, profile: "none"), files,
                isRereadable: false, at: now())
            record.readsFiles = !files.isEmpty
            return record
        }
    }

    /// The files of a job, and those that are missing; nil when all are missing, and the job has
    /// more pages than were delivered.
    private func findFiles(
        _ record: JobRecord, _ held: [FedPage]
    ) async throws -> (found: [ListedDevice], missing: [SkippedPage])? {
        var found: [ListedDevice] = []
        var missing: [SkippedPage] = []
        var failure: (any Error)?
        for name in record.devices {
            do { found.append(try await host.find(name)) } catch {
                missing.append(
                    SkippedPage(label: name.lastComponent, error: captureError(error)))
                failure = error
            }
        }
        guard found.isEmpty, let failure else { return (found, missing) }
        guard held.count > record.deliveredPages ?? 0 else { throw failure }
        return nil
    }

    /// Captures more pages into an interrupted job, and delivers the whole document again,
    /// replacing the job's earlier deliveries.
    ///
    /// A missing file, or one that was changed since, is not replaced: the document gets an unused
    /// name, which the outcome contains.
    ///
    /// - Parameters:
    ///   - job: a job that is ``StoredJob/isContinuable``.
    ///   - change: changes to the job's order; empty sources and outputs stay as ordered.
    /// - Throws: the errors of ``run(_:control:onEvent:)``; the job stays unchanged then.
    public func append(
        to job: StoredJob, _ change: ScanOrder.Change, control: ScanControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void
    ) async throws -> ScanOutcome {
        let folder = try JobFolder(path: job.folder)
        try folder.checkFiles()
        var record = try JobRecord.read(from: job.folder)
        let spool = SpoolFolder(path: folder.path)
        try spool.takeUp()
        let earlier = try spooled(spool, record)
        if !change.outputs.isEmpty { record.send(to: change.outputs) }
        try record.unlock(with: change.protection)
        // The change is for this time only: a mistake in it must not stay with the job.
        var order = record.order
        order.apply(change, pagesBefore: earlier.count)
        try checkSomebodyTurns(order, control)
        let profile = try profile(for: record.order)
        let names = change.sources.isEmpty ? record.devices : change.sources
        let devices = try await find(names)
        record.devices = devices.map(\.id)
        let next = (earlier.map(\.captured.number).max() ?? 0) + 1
        let side = record.runs?.last?.side ?? .asTheyCome
        let ledger = JobLedger(record, in: folder.path)
        try ledger.update { $0.beginCapture(first: next, side: side) }
        onEvent(.continuing(job: job.id, pages: earlier.count))
        let feed = feed(
            order, devices, spool: folder.path, ledger: ledger, beginning: nil, earlier: earlier,
            control: control)
        return try await run(
            feed, profile, ledger: ledger, folder: folder, control: control, onEvent: onEvent)
    }

    /// The pages in a job's folder, in the order of the document; duplicates are deleted.
    private func spooled(_ spool: SpoolFolder, _ record: JobRecord) throws -> [FedPage] {
        let held = try HeldPages(spool, record)
        for page in held.surplus { page.discard() }
        let pages = held.pages.map {
            FedPage(
                captured: $0, device: record.device(of: $0.description.label),
                label: $0.description.label)
        }
        return arrange(pages, record.arranged(pages.map(\.captured.asCaptured)))
    }
}
