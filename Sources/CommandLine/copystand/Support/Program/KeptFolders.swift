import Delivery
import FoundationEssentials
import ScanService

/// The folders in which this program keeps jobs, and documents that wait for sinks.
struct KeptFolders {
    private let jobs: JobStore
    private let outbox: OutboxStore

    /// The folders that the environment names.
    ///
    /// - Throws: `UserFileError` when this user has none.
    init(environment: [String: String]) throws {
        jobs = try .standard(environment: environment)
        outbox = try .standard(environment: environment)
    }

    /// Checks that nobody else can change the jobs, without which nothing can be scanned.
    ///
    /// - Throws: ``JobError``, with a remedy.
    func check() throws(JobError) { try jobs.check() }

    /// The thing in the place of the outbox, or of a file of a job or a document, and what to do
    /// about it.
    var problems: [String] {
        do throws(DeliveryError) { try outbox.check() } catch {
            return jobs.jobs().compactMap(\.problem) + [error.message]
        }
        let items = outbox.items().compactMap { _, item -> String? in
            guard case .failure(let error) = item else { return nil }
            return error.message
        }
        return jobs.jobs().compactMap(\.problem) + items + [outbox.problem].compactMap(\.self)
    }
}
