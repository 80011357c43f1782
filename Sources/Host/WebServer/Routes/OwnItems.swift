import BlockingWork
import Delivery
import Documents
import ExpectedFailures
import ScanService

/// Hides the jobs and waiting deliveries of others from a client that sees only its own.
///
/// Documents are hidden by the archive itself; previews, live views and uploads by their stores.
/// An unreadable item may belong to anyone, and is hidden.
struct OwnItems {
    let context: ServerContext

    /// Refuses a route with the id of a hidden item, as if the item did not exist.
    ///
    /// - Throws: ``Problem`` 404.
    func check(
        _ route: Route, _ parameters: [String: String], _ user: ArchiveUser
    ) async throws {
        guard user.sees == .own, let id = parameters["id"] else { return }
        switch route.path.dropFirst(2).first {
        case "jobs":
            guard try await isVisible(job: id, to: user) else {
                throw Problem.noSuchThing("job", id, "See /api/v1/jobs for the list.")
            }
        case "outbox":
            guard try await isVisible(item: id, to: user) else {
                throw Problem.noSuchThing("outbox item", id, "See /api/v1/outbox for the list.")
            }
        default: break
        }
    }

    /// False for a job of someone else, of this run or in the spool.
    ///
    /// - Throws: `JobError` for a job that can't be looked at, and so may be anyone's.
    private func isVisible(job id: String, to user: ArchiveUser) async throws -> Bool {
        if let status = context.jobs.status(id) { return user.maySee(status.owner) }
        do {
            let stored = try await onOwnThread { [store = context.store] in try store.job(id) }
            return Self.isVisible(stored, to: user)
        } catch let error as JobError where error.code == .noSuchJob {
            // The route reports it.
            return true
        }
    }

    /// False for a stored job of someone else.
    static func isVisible(_ job: StoredJob, to user: ArchiveUser) -> Bool {
        user.sees == .all || job.order.map { user.maySee($0.user?.name) } == true
    }

    private func isVisible(item id: String, to user: ArchiveUser) async throws -> Bool {
        let store = try context.sinks.outbox().store
        return await onOwnThread {
            let item = Result { () throws(DeliveryError) in try store.item(id) }
            // The route reports that there is none.
            if case .failure(let error) = item, error.code == .noSuchItem { return true }
            return Self.isVisible(item, to: user)
        }
    }

    /// False for an item of the outbox that is someone else's.
    static func isVisible(
        _ item: Result<OutboxItem, DeliveryError>, to user: ArchiveUser
    ) -> Bool {
        user.sees == .all || item.readable.map { user.maySee($0.user?.name) } == true
    }
}
