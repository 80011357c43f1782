import Archive
import Delivery
import FoundationEssentials
import ScanService

/// The files that a killed `watch-folder` was reading.
struct LeftFiles {
    private let store: JobStore
    let taken: TakenFiles

    /// - Throws: `UserFileError` when this user has no spool.
    init() throws {
        store = try .standard(environment: ProcessInfo.processInfo.environment)
        taken = TakenFiles(store)
    }

    /// Completes the work on a file.
    ///
    /// - Parameter order: the order for the files of the folder.
    /// - Returns: true if the whole order has been delivered, now or earlier.
    func complete(_ path: String, _ order: ScanOrder, _ console: Console) async throws -> Bool {
        guard let id = taken.job(of: path) else { return false }
        // If this process is killed as well, the file is not tried for ever.
        taken.forget([path])
        // A job is removed once every sink has its document, or when it has read nothing.
        let job: StoredJob
        do throws(JobError) { job = try store.job(id) } catch {
            guard error.code == .noSuchJob else { throw error }
            return try isArchived(id, order)
        }
        let code = try await withScanService(console, isJSON: false) { service, control, show in
            try await service.resume(job, outputs: [], control: control, onEvent: show)
        }
        return code == .done
    }

    /// True if every archive of an order has a document of the job.
    private func isArchived(_ job: String, _ order: ScanOrder) throws -> Bool {
        var outputs = order.outputs
        if order.sinks.contains(ArchiveSink.kindName) {
            outputs.append(try ScanOrder.defaultOutput)
        }
        return try outputs.compactMap(ArchiveSink.place).allSatisfy {
            try !Archive.open($0, .readOnly).documents(of: job).isEmpty
        }
    }
}
