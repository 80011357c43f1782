import Delivery
import ExpectedFailures
import FoundationEssentials
import Glibc
import GuardedFiles
import TemporaryFolders
public import UserFiles

/// The folder of all jobs: a subfolder for each, with its order and the pages captured so far.
///
/// A job's folder exists from before the first capture until every sink has the document. Jobs
/// whose folder is left after a crash, a power cut or a failed delivery can be resumed or
/// discarded.
public struct JobStore: Sendable {
    /// The path of the folder with the jobs' folders.
    public let root: String
    /// The number of days that a job is kept after the delivery of all its pages; nil for no limit.
    public let keeping: Int?

    /// The number of days that a delivered job is kept by default.
    public static let usualKeeping = 30

    /// A store in `root`, which is made for the first job.
    public init(root: String, keeping: Int? = JobStore.usualKeeping) {
        self.root = root
        self.keeping = keeping
    }

    /// The user's store: `$COPYSTAND_SPOOL`, or else `spool` in the user's folder of state.
    ///
    /// `$COPYSTAND_KEEP_JOBS` is the number of days to keep delivered jobs; with any other text,
    /// such as `always`, they stay.
    ///
    /// - Throws: `UserFileError` when this user has no such folder.
    public static func standard(
        environment: [String: String]
    ) throws(UserFileError) -> JobStore {
        let keeping =
            environment["COPYSTAND_KEEP_JOBS"].map { Int($0).map { max(0, $0) } }
            ?? usualKeeping
        return JobStore(root: try standardRoot(environment), keeping: keeping)
    }

    private static func standardRoot(
        _ environment: [String: String]
    ) throws(UserFileError) -> String {
        if let named = environment["COPYSTAND_SPOOL"], named.hasPrefix("/") { return named }
        return try UserFolders(environment: environment).usable(.state) + "/spool"
    }

    /// Checks that only this user and root can change the store's contents, if it exists.
    ///
    /// - Throws: ``JobError`` `spoolUnusable`.
    public func check() throws(JobError) { _ = try folder() }

    /// The open folder of the jobs; nil if there is none yet.
    private func folder() throws(JobError) -> GuardedFolder? {
        do throws(GuardedFileError) { return try GuardedFolder.own(root) } catch {
            throw JobError(
                .spoolUnusable,
                error.message + " (or name a folder of your own in COPYSTAND_SPOOL)")
        }
    }

    private var names: [String] { reportedLater { try folder()?.names() ?? [] } ?? [] }

    /// The jobs on disk, oldest first; none where ``check()`` fails.
    public func jobs() -> [StoredJob] {
        names.filter(JobID.isValid).map { StoredJob(folder: root + "/" + $0) }
    }

    /// The job with that name.
    ///
    /// - Throws: ``JobError`` `noSuchJob`, `spoolUnusable`.
    public func job(_ id: String) throws(JobError) -> StoredJob {
        let folder = try folder()
        let about: stat?
        do throws(GuardedFileError) {
            about = JobID.isValid(id) ? try folder?.status(id) : nil
        } catch { throw .spool(root + "/" + id, error) }
        guard about != nil else {
            throw JobError(.noSuchJob, "There is no job '\(id)'. List them with: copystand jobs")
        }
        return StoredJob(folder: root + "/" + id)
    }

    /// The job that `scan --append` continues: the named one, or the latest that can be continued.
    ///
    /// - Throws: ``JobError`` `noSuchJob`, `running`, `nothingToContinue`, `spoolUnusable`.
    public func continuable(_ id: String?) throws(JobError) -> StoredJob {
        try check()
        guard let id else {
            let jobs = jobs()
            if let latest = jobs.last(where: \.isOpen) ?? jobs.last(where: \.isContinuable) {
                return latest
            }
            throw JobError(.nothingToContinue, Self.nothingToContinue(jobs))
        }
        let job = try job(id)
        if let problem = job.problem { throw JobError(.spoolUnusable, problem) }
        if job.isContinuable { return job }
        if job.isRunning {
            throw JobError(.running, "Another process is working on the job '\(id)'")
        }
        throw JobError(
            .nothingToContinue,
            job.pages == 0 && !job.isRereadable
                ? "The job '\(id)' has no pages, so there is nothing to continue. Discard it with: copystand jobs discard \(id)"
                : "The pages of the job '\(id)' came from files, so nothing can be added. Read all of them again with: copystand jobs resume \(id)"
        )
    }

    /// Explains why none of the jobs can be continued.
    private static func nothingToContinue(_ jobs: [StoredJob]) -> String {
        if let files = jobs.last(where: { !$0.isRunning && ($0.isRereadable || $0.pages > 0) }) {
            return
                "The latest interrupted job reads files, so nothing can be added to it. Read all of them again with: copystand jobs resume \(files.id)"
        }
        return
            "There is no job to continue. A job can be continued only if it captured pages before its scanning ended early: scan again without --append"
    }

    /// Removes what killed processes left in the spool besides jobs: files for clients, uploads
    /// that no job has, and jobs that were being removed.
    public func removeOrphans() {
        TemporaryFolder.removeOrphans(in: [root])
        guard let folder = reportedLater({ try folder() }) else { return }
        for name in names where name.hasPrefix(JobFolder.goneMark) { folder.removeTree(name) }
    }

    /// Removes jobs that are no longer needed: see ``StoredJob/isSpent(at:keeping:)``.
    ///
    /// - Returns: the names of the removed jobs.
    @discardableResult
    func prune(at date: Date) -> [String] {
        removeOrphans()
        return jobs().filter { $0.isSpent(at: date, keeping: keeping) }.compactMap { job in
            // The job is locked during its removal and checked again, because another process may
            // have begun to continue it.
            guard let folder = ifSupported({ try JobFolder(path: job.folder) }),
                StoredJob(folder: job.folder, isHeldHere: true).isSpent(at: date, keeping: keeping)
            else { return nil }
            folder.remove()
            return job.id
        }
    }

    /// Makes the folder of a new job, locked by this process.
    ///
    /// - Throws: ``JobError`` `spoolUnusable` when the folder can't be made or written.
    func create(at date: Date) throws(JobError) -> JobFolder {
        try check()
        let folder = root + "/" + JobID.make(at: date)
        do {
            // Pages are private: no other user may read the spool.
            try makePrivateFolder(folder)
        } catch {
            throw .spool(root, error.message)
        }
        return try JobFolder(path: folder)
    }
}
