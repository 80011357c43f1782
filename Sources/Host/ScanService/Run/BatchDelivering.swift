import Delivery
import Documents
import JobOptions
import Processing
import Recognition

/// Passes a job's pages to its documents: to the only one, or to those of a split batch, one after
/// the other.
///
/// A document is delivered to its sinks before the next begins, so that memory does not grow with
/// their number. Before that, the roles of its pages are on the disk.
actor BatchDelivering {
    /// The purpose for which a document is begun.
    enum Purpose {
        /// The document is the only one of its job.
        case only
        /// The document has no page and only checks whether its sinks would accept it.
        case probe
        /// The document belongs to a batch. The user can no longer choose another name, so a name
        /// that is in use gets a number.
        case batch
    }

    private let begin: @Sendable (DocumentPlace, Purpose) throws -> Delivering
    private let ledger: JobLedger
    private let splitting: Splitting
    private let onEvent: @Sendable (ScanEvent) -> Void
    private var names: DocumentNames
    private var splitter: BatchSplitter
    private var journal: SplitJournal
    /// The document that receives pages now; before the first document of a batch, the probe.
    private var current: Delivering
    private var place = DocumentPlace.only
    /// The number of pages in that document.
    private var pages = 0
    private var finder = DocumentFinder()
    private var earlierFailures: [DeliveryFailure] = []

    /// The receipts of the documents that are complete, in their order.
    private(set) var receipts: [Receipt] = []
    /// The documents' places that can be checked later.
    private(set) var places: [DeliveredPlace] = []
    /// The documents of a stack that are complete; empty for a job that is not split.
    private(set) var documents: [SplitDocument] = []
    /// The findings in all documents.
    private(set) var found = DocumentFindings()
    /// The number of pages that are in no document.
    private(set) var asideCount = 0
    /// The outputs of the documents so far, as the record has them.
    private(set) var outputs: [String] = []

    /// Begins the only document, or checks whether the first of a stack could be begun.
    ///
    /// - Throws: ``DeliveryError`` when a sink refuses it.
    init(
        _ splitting: Splitting, _ ledger: JobLedger,
        onEvent: @escaping @Sendable (ScanEvent) -> Void,
        begin: @escaping @Sendable (DocumentPlace, Purpose) throws -> Delivering
    ) throws {
        let order = ledger.record.order
        self.begin = begin
        self.ledger = ledger
        self.splitting = splitting
        self.onEvent = onEvent
        names = DocumentNames(order.outputs)
        splitter = BatchSplitter(order.options[.splitPages])
        journal = ledger.record.split ?? SplitJournal()
        var probed = names
        current =
            try splitting.rules.isEmpty
            ? begin(.only, .only) : begin(probed.place(1, nil), .probe)
        if splitting.rules.isEmpty { outputs = order.outputs }
    }

    /// True while another page has somewhere to go.
    ///
    /// A stack continues when one of its documents has failed: the next may succeed.
    var isAlive: Bool { isSplit || current.isAlive }

    private var isSplit: Bool { !splitting.rules.isEmpty }

    /// The sinks that could not take a document.
    var failures: [DeliveryFailure] { earlierFailures + current.failures }

    /// Adds the next page.
    ///
    /// - Returns: the processed page, and the number of its document in a batch, which is 0 if it
    ///   is in no document; nil for a job with a single document.
    func add(
        _ page: DeliveredPage, captured: Int, part: Int
    ) async -> (page: Page, document: Int?) {
        var delivered = page
        delivered.page = splitting.asOrdered(page.page)
        guard isSplit else {
            await take(delivered)
            return (delivered.page, nil)
        }
        let entry = journal.entry(page.page, captured: captured, part: part, splitting.rules)
        switch splitter.place(entry.mark, isBlank: entry.isBlank) {
        case .aside:
            asideCount += 1
            return (delivered.page, 0)
        case .beginning(let number, let name):
            await open(names.place(number, name))
            await take(delivered)
            return (delivered.page, number)
        case .continuing(let number):
            await take(delivered)
            return (delivered.page, number)
        }
    }

    private func take(_ page: DeliveredPage) async {
        pages += 1
        var page = page
        page.page.number = pages
        await current.add(page)
        finder.add(page.page)
    }

    private func open(_ next: DocumentPlace) async {
        await close()
        place = next
        outputs += names.outputs(next).filter { !outputs.contains($0) }
        do { current = try begin(next, .batch) } catch {
            fail(error)
        }
    }

    /// Completes the current document in its sinks; a document without pages is dropped.
    private func close() async {
        guard pages > 0 else { return await current.cancel() }
        if isSplit {
            do throws(JobError) { try ledger.update { $0.split = journal } } catch {
                // A resumed job might split elsewhere than where this document ends.
                fail(DeliveryError(.inputOutput, error.message))
                await current.cancel()
            }
        }
        let findings = finder.findings()
        let new = await current.finish(findings)
        for receipt in new { onEvent(.delivered(receipt)) }
        receipts += new
        places += current.places(new)
        found.entries += findings.entries
        found.fields += findings.fields
        earlierFailures += current.failures
        if let number = place.number {
            documents.append(
                SplitDocument(
                    number: number, name: place.name, pages: pages,
                    locations: new.flatMap(\.locations)))
        }
        (pages, finder, current) = (0, DocumentFinder(), .nobody)
    }

    /// Records that no sink can get the document.
    private func fail(_ error: any Error) {
        let failure = DeliveryFailure(sink: names.outputs(place).first ?? place.mark, error)
        earlierFailures.append(failure)
        onEvent(.undelivered(failure))
    }

    /// Completes the last document.
    func finish() async { await close() }

    /// Drops the last document.
    func cancel() async { await current.cancel() }
}
