import BlockingWork
import Delivery
import Documents
import FoundationEssentials
import Synchronization

/// Passes a document's pages to all of its sinks.
///
/// A failing sink is dropped; the others continue.
final class Delivering: Sendable {
    private struct State {
        var writers: [Target]
        var failures: [DeliveryFailure] = []
    }

    private struct Target {
        let name: String
        let writer: any SinkWriter
        var filter: BlankPageFilter
    }

    private let state: Mutex<State>
    private let queue = OwnQueue(label: "copystand.delivering")
    private let onFailure: @Sendable (DeliveryFailure) -> Void
    /// The archive that stores the receipts, and the job that identifies the document there; nil
    /// for none.
    private let receiptBook: (archive: ArchiveSink, job: String)?
    private let job: String?
    private let user: ArchiveUser?
    private let allowsDuplicates: Bool
    private let now: @Sendable () -> Date

    /// Begins the document in every sink.
    ///
    /// - Throws: ``DeliveryError`` when a sink refuses it; nothing is left in the others.
    /// - Parameters:
    ///   - keepsBlankPages: true to deliver blank pages to sinks that would leave them out.
    ///   - allowsDuplicates: true to accept a document that the archive already has, without a
    ///     message.
    ///   - skipsRefusingSinks: true to report and drop a sink that refuses the document, instead of
    ///     failing.
    init(
        _ sinks: [any Sink], _ info: DocumentInfo, keepsBlankPages: Bool = false,
        allowsDuplicates: Bool = false, skipsRefusingSinks: Bool = false,
        now: @escaping @Sendable () -> Date,
        onFailure: @escaping @Sendable (DeliveryFailure) -> Void
    ) throws {
        var writers: [Target] = []
        var failures: [DeliveryFailure] = []
        for sink in sinks {
            do {
                let writer = try sink.begin(info)
                writers.append(
                    Target(
                        name: sink.name, writer: writer,
                        filter: BlankPageFilter(for: writer, keepsAll: keepsBlankPages)))
            } catch  where skipsRefusingSinks {
                failures.append(DeliveryFailure(sink: sink.name, error))
            } catch {
                for begun in writers { begun.writer.cancel() }
                throw error
            }
        }
        state = Mutex(State(writers: writers, failures: failures))
        self.onFailure = onFailure
        self.allowsDuplicates = allowsDuplicates
        self.now = now
        job = info.job
        user = info.user
        receiptBook = info.job.flatMap { job in
            sinks.compactMap { $0 as? ArchiveSink }.first.map { ($0, job) }
        }
        for failure in failures { onFailure(failure) }
    }

    /// A delivery without sinks.
    static var nobody: Delivering { Delivering() }

    private init() {
        state = Mutex(State(writers: []))
        onFailure = { _ in }
        allowsDuplicates = false
        now = { Date() }
        receiptBook = nil
        job = nil
        user = nil
    }

    /// True while at least one sink accepts pages.
    var isAlive: Bool { state.withLock { !$0.writers.isEmpty } }

    /// The failures of sinks so far.
    var failures: [DeliveryFailure] { state.withLock(\.failures) }

    /// Passes a page to every remaining sink.
    func add(_ page: DeliveredPage) async {
        _ = await each { writer, filter in
            if let passed = filter.pass(page) { try writer.add(passed) }
        }
    }

    /// The places in the receipts of ``finish(_:)``.
    func places(_ receipts: [Receipt]) -> [DeliveredPlace] {
        receipts.compactMap { receipt in
            job.flatMap { DeliveredPlace(receipt, job: $0) }
        }
    }

    /// Completes the document in every sink that has all of its pages.
    ///
    /// - Parameter found: the findings in the document as a whole.
    func finish(_ found: DocumentFindings = DocumentFindings()) async -> [Receipt] {
        let receipts = await each { [allowsDuplicates] writer, filter in
            if let page = filter.last() { try writer.add(page) }
            if !found.isEmpty { try writer.note(found) }
            var receipt = try writer.finish()
            if allowsDuplicates { receipt.duplicateOf = nil }
            return receipt
        }
        state.withLock { $0.writers = [] }
        if let (archive, job) = receiptBook, receipts.contains(where: { $0.sink == archive.name }) {
            await keep(receipts, in: archive, job)
        }
        return receipts
    }

    /// Stores the places of delivered files in the archive; named sinks do this themselves.
    ///
    /// If this fails, the job stays and can be resumed: every sink then knows the pages that it has
    /// already.
    private func keep(_ receipts: [Receipt], in archive: ArchiveSink, _ job: String) async {
        let made = now().timeIntervalSince1970
        await queue.run { [self] in
            do throws(DeliveryError) {
                try archive.keep(
                    receipts.filter { !$0.files.isEmpty }, of: job, made: made, by: user)
            } catch {
                let failure = DeliveryFailure(sink: archive.name, error: error)
                state.withLock { $0.failures.append(failure) }
                onFailure(failure)
            }
        }
    }

    /// Cancels the delivery and removes its incomplete files.
    func cancel() async {
        _ = await each { writer, _ in writer.cancel() }
        state.withLock { $0.writers = [] }
    }

    private func each<Value: Sendable>(
        _ work: @escaping @Sendable (any SinkWriter, inout BlankPageFilter) throws -> Value
    ) async -> [Value] {
        await queue.run { [self] in
            state.withLock(\.writers).compactMap { target in
                var filter = target.filter
                do {
                    let value = try work(target.writer, &filter)
                    keep(filter, of: target.writer)
                    return value
                } catch {
                    target.writer.cancel()
                    drop(target.name, target.writer, error)
                    return nil
                }
            }
        }
    }

    private func keep(_ filter: BlankPageFilter, of writer: any SinkWriter) {
        state.withLock { state in
            guard let index = state.writers.firstIndex(where: { $0.writer === writer }) else {
                return
            }
            state.writers[index].filter = filter
        }
    }

    private func drop(_ name: String, _ writer: any SinkWriter, _ error: any Error) {
        let failure = DeliveryFailure(sink: name, error)
        state.withLock { state in
            state.writers.removeAll { $0.writer === writer }
            state.failures.append(failure)
        }
        onFailure(failure)
    }
}
