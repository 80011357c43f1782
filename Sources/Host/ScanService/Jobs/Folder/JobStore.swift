import Delivery
import FoundationEssentials
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

    /// The jobs on disk, oldest first.
    public func jobs() -> [StoredJob] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter(JobID.isValid).sorted().map { StoredJob(folder: root + "/" + $0) }
    }

    /// The job with that name.
    ///
    /// - Throws: ``JobError`` `noSuchJob`.
    public func job(_ id: String) throws(JobError) -> StoredJob {
        guard JobID.isValid(id), FileManager.default.fileExists(atPath: root + "/" + id) else {
            throw JobError(.noSuchJob, "There is no job '\(id)'. List them with: copystand jobs")
        }
        return StoredJob(folder: root + "/" + id)
    }

    /// The job that `scan --append` continues: the named one, or the latest that can be continued.
    ///
    /// - Throws: ``JobError`` `noSuchJob`, `running`, `nothingToContinue`.
    public func continuable(_ id: String?) throws(JobError) -> StoredJob {
        guard let id else {
            let jobs = jobs()
            if let latest = jobs.last(where: \.isOpen) ?? jobs.last(where: \.isContinuable) {
                return latest
            }
            throw JobError(.nothingToContinue, Self.nothingToContinue(jobs))
        }
        let job = try job(id)
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

    /// Removes jobs that are no longer needed: see ``StoredJob/isSpent(at:keeping:)``.
    ///
    /// - Returns: the names of the removed jobs.
    @discardableResult
    func prune(at date: Date) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        for name in names where name.hasPrefix(JobFolder.goneMark) {
            // A process may have been killed while it removed this job.
            try? FileManager.default.removeItem(atPath: root + "/" + name)
        }
        return jobs().filter { $0.isSpent(at: date, keeping: keeping) }.compactMap { job in
            // The job is locked during its removal and checked again, because another process may
            // have begun to continue it.
            guard let folder = try? JobFolder(path: job.folder),
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
