import Archive
import Delivery
import Documents
import Synchronization
import WorkQueue

/// Leaves a job's captured pages to the workers of a shared archive.
///
/// With the receipt, the pages are safe there, and a worker will process them; the archive has no
/// document of them yet.
struct LeavingSink: Sink {
    /// The name of the archive's own sink, so that a job that waits for its server is recognized.
    let name: String
    private let place: String
    private let urgency: NewJob.Urgency
    /// The order for the worker, once every page is captured.
    private let order: @Sendable () throws -> String

    init(
        place: String, urgency: NewJob.Urgency, order: @escaping @Sendable () throws -> String
    ) {
        self.place = place
        self.urgency = urgency
        self.order = order
        name = ArchiveSink(folder: place).name
    }

    func begin(_ info: DocumentInfo) throws -> any SinkWriter {
        do {
            let archive = try Archive.open(place, .readWrite)
            return LeavingWriter(
                sink: name,
                leaving: try archive.beginLeaving(info.job ?? "", of: info.user?.name),
                urgency: urgency, order: order, countsOthers: info.user?.sees != .own)
        } catch  where error.code == .unreachable {
            return AwayArchiveWriter(error: DeliveryError(error))
        } catch { throw DeliveryError(error) }
    }
}

private final class LeavingWriter: SinkWriter {
    let keepsBlankPages = true
    private let sink: String
    private let leaving: Leaving
    private let urgency: NewJob.Urgency
    private let order: @Sendable () throws -> String
    /// True if the user may know how many pages of others wait.
    private let countsOthers: Bool
    private let written = Mutex((pages: 0, bytes: 0))

    init(
        sink: String, leaving: Leaving, urgency: NewJob.Urgency,
        order: @escaping @Sendable () throws -> String, countsOthers: Bool
    ) {
        self.countsOthers = countsOthers
        self.sink = sink
        self.leaving = leaving
        self.urgency = urgency
        self.order = order
    }

    func add(_ page: DeliveredPage) throws {
        guard let leave = page.leave else {
            throw DeliveryError(.unsupported, "Only a captured page can be left to workers.")
        }
        let bytes: Int
        do { bytes = try leave(leaving) } catch let error as ArchiveError {
            throw DeliveryError(error)
        }
        written.withLock { $0 = ($0.pages + 1, $0.bytes + bytes) }
    }

    func finish() throws -> Receipt {
        let before: Int
        do {
            before = try leaving.finish(
                order: try order(), station: ThisStation.name, urgency: urgency)
        } catch let error as ArchiveError { throw DeliveryError(error) }
        let (pages, bytes) = written.withLock { $0 }
        return Receipt(
            sink: sink, locations: [], pages: pages, bytes: bytes,
            waiting: Receipt.Waiting(
                before == 0 || !countsOthers
                    ? "It waits for a worker."
                    : "It waits for a worker, with \(before) \(before == 1 ? "page" : "pages") before it.",
                isForWorker: true))
    }

    func cancel() { leaving.cancel() }
}
