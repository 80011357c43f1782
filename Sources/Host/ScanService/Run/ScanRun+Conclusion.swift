import CaptureHost
import CaptureKit
import Delivery
import Documents
import ExpectedFailures
import JobOptions

extension ScanRun {
    /// What a job's folder still has when its pages are delivered, and why that is needed.
    private struct Remains {
        /// The number of pages in the spool.
        var pages: Int
        /// Why the job can be continued; nil when it was captured completely.
        var interruption: Interruption?
        /// The number of blank pages that files leave out; nil for none, or where they can be read
        /// again.
        var blankPages: Int?
        /// The number of sheets between documents that no document has; nil for none.
        var asidePages: Int?

        var isNeeded: Bool { interruption != nil || blankPages != nil || asidePages != nil }
    }

    /// Ends the delivery, and removes the job's folder, or notes why it stays.
    ///
    /// - Parameter devices: the devices of the pages.
    func conclude(
        _ outcome: inout ScanOutcome, _ releasedFiles: [SourceFile], devices: Set<String>
    ) async {
        await finishDelivery(&outcome)
        let remains = await remains(of: &outcome, devices)
        guard !outcome.failures.isEmpty || remains.isNeeded else { return folder.remove() }
        // Delivered files belong to their owner, and the job's pages must not change with them. If
        // the disk has no space for copies, a changed page will be noticed.
        reportedLater { try SpoolFolder(path: folder.path).separatePages() }
        await record(remains, of: outcome)
        if !outcome.failures.isEmpty {
            outcome.keptJob = folder.id
            outcome.kept = .init(
                pages: remains.pages, unread: releasedFiles.count { $0.isUnchanged },
                lost: releasedFiles.count { !$0.isUnchanged })
        }
        if remains.blankPages != nil { outcome.blankPagesJob = folder.id }
        if remains.asidePages != nil { outcome.asidePagesJob = folder.id }
        if let interruption = remains.interruption {
            outcome.continuation = .init(
                job: folder.id, pages: remains.pages, interruption: interruption,
                isReread: ledger.record.isOfFiles)
        }
    }

    private func finishDelivery(_ outcome: inout ScanOutcome) async {
        if outcome.pages.isEmpty {
            await delivering.cancel()
        } else {
            onEvent(.completing(pages: outcome.pages.count))
            await delivering.finish()
        }
        outcome.receipts = await delivering.receipts
        outcome.found = await delivering.found
        outcome.failures = await delivering.failures
        outcome.documents = await delivering.documents
    }

    private func remains(
        of outcome: inout ScanOutcome, _ devices: Set<String>
    ) async -> Remains {
        let spool = SpoolFolder(path: folder.path)
        // A job whose spool can't be read keeps it: its pages may be there.
        let held = ifSupported { try HeldPages(spool, ledger.record).pages }
        let interruption =
            interruption(
                outcome.ending, held?.map(\.asCaptured), isEmpty: outcome.pages.isEmpty)
            ?? unreadInput(outcome, devices)
        let order = ledger.record.order
        outcome.blankPagesLeftOut =
            order.options[.keepsBlankPages] || !order.leavesBlankPagesOut
            ? 0 : Self.blankPagesLeftOut(outcome.pages)
        let blankPages = isRereadable ? 0 : outcome.blankPagesLeftOut
        let asidePages = isRereadable ? 0 : await delivering.asideCount
        return Remains(
            pages: held?.count ?? outcome.pages.count, interruption: interruption,
            blankPages: blankPages > 0 ? blankPages : nil,
            asidePages: asidePages > 0 ? asidePages : nil)
    }

    /// Writes into the job's record what was delivered where, and why the folder stays.
    private func record(_ remains: Remains, of outcome: ScanOutcome) async {
        let outputs = await delivering.outputs
        let places = await delivering.places
        let isDelivered = !outcome.receipts.isEmpty && outcome.failures.isEmpty
        // If the record can't be written, the document goes to a new file the next time, and
        // nothing is lost.
        asHint {
            try ledger.update { record in
                record.interruption = remains.interruption
                record.awaitedArchives = DeliveryFailure.awaitedArchives(outcome.failures)
                record.blankPages = remains.blankPages
                record.asidePages = remains.asidePages
                if isDelivered { record.deliveredPages = remains.pages }
                record.add(places, captured: remains.pages, by: folder.id)
                record.add(outcome.receipts, of: outputs)
            }
        }
    }

    /// The number of blank pages that files leave out; a document of only blank pages keeps its
    /// first.
    private static func blankPagesLeftOut(_ pages: [PageSummary]) -> Int {
        Dictionary(grouping: pages, by: \.document).values.reduce(0) { sum, pages in
            let blank = pages.count { $0.page.isBlank }
            return sum + (blank == pages.count ? blank - 1 : blank)
        }
    }

    /// The message that the only copy of an input stays because it was not read completely;
    /// otherwise nil.
    private func unreadInput(_ outcome: ScanOutcome, _ devices: Set<String>) -> Interruption? {
        let hasEnded = if case .completed = outcome.ending { extent != .brokenOff } else { false }
        let own = ifSupported { try OwnFiles.paths(in: folder.path) }
        // Files that can't be listed may be unread.
        let isUnread = own?.contains { path in
            let name = path.lastComponent
            return !hasEnded || !devices.contains("file:" + path)
                || outcome.skipped.contains { page in
                    page.label.map { $0 == name || $0.hasPrefix(name + ", ") } ?? true
                }
        }
        guard isUnread ?? true else { return nil }
        return Interruption(
            code: Interruption.unread, reason: "not all of its own files could be read", next: nil)
    }

    /// The reason why the job can be continued; nil when the job has no pages, or was captured
    /// completely.
    ///
    /// Pages from files are read again as a whole, and need not be in the spool.
    ///
    /// - Parameter kept: the pages in the spool; nil if it can't be read, and then those that were
    ///   processed are thought to be there.
    private func interruption(
        _ ending: ScanOutcome.Ending, _ kept: [PageOrder.Captured]?, isEmpty: Bool
    ) -> Interruption? {
        guard !(isRereadable ? isEmpty : kept?.isEmpty ?? isEmpty) else { return nil }
        let isOfFiles = ledger.record.isOfFiles
        let next = isOfFiles ? nil : kept.flatMap { ledger.record.arranged($0).next }
        switch ending {
        case .completed where extent != .whole:
            var earlier = ledger.record.interruption
            earlier?.next = next
            return earlier
                ?? Interruption(
                    code: Interruption.broken,
                    reason: isOfFiles ? "not all of its files were read" : "the program was ended",
                    next: next)
        case .completed: return isEmpty ? ledger.record.interruption : nil
        case .stopped:
            return Interruption(code: Interruption.stopped, reason: "it was stopped", next: next)
        case .deviceFailed(let error):
            let known = captureError(error)
            return Interruption(code: known.code.rawValue, reason: known.message, next: next)
        }
    }
}

extension JobRecord {
    /// Notes places of documents, each instead of an earlier one in the same sink.
    ///
    /// - Parameters:
    ///   - captured: the number of captured pages that those of this job show.
    ///   - job: the name of this job.
    fileprivate mutating func add(_ new: [DeliveredPlace], captured: Int, by job: String) {
        let earlier = (places ?? []).filter { place in
            !new.contains { $0.sink == place.sink && $0.job == place.job }
        }
        places =
            earlier
            + new.map { place in
                var place = place
                if place.job == job { place.captured = captured }
                return place
            }
    }

    /// Notes which files and documents the outputs have become.
    fileprivate mutating func add(_ receipts: [Receipt], of outputs: [String]) {
        for receipt in receipts {
            guard let output = outputs.first(where: { path(of: $0) == receipt.sink }) else {
                continue
            }
            deliveries = deliveries ?? [:]
            deliveries?[output] = .init(
                left: receipt.files,
                document: ArchiveSink.isMeant(by: output) ? receipt.locations.first : nil)
        }
    }
}
