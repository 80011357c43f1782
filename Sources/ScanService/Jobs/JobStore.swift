public import FoundationEssentials

/// The folder of all jobs: one folder each, which holds the order and the pages captured so far.
///
/// A job's folder is there from before the first page is captured until every sink has the document. What is left there
/// after a crash, a power cut or a failed delivery can be resumed or discarded.
public struct JobStore: Sendable {
    /// The folder that holds the jobs' folders.
    public let root: String

    /// A store in `root`, which is made when the first job begins.
    public init(root: String) { self.root = root }

    /// The user's store: `$COPYSTAND_SPOOL`, else `$XDG_STATE_HOME/copystand/spool`, else `~/.local/state/copystand/spool`.
    public static func standard(environment: [String: String]) -> JobStore {
        if let named = environment["COPYSTAND_SPOOL"], named.hasPrefix("/") {
            return JobStore(root: named)
        }
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return JobStore(root: state + "/copystand/spool")
        }
        return JobStore(root: (environment["HOME"] ?? "/tmp") + "/.local/state/copystand/spool")
    }

    /// The jobs on disk, the oldest first.
    public func jobs() -> [StoredJob] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter(JobID.isValid).sorted().map { StoredJob(folder: root + "/" + $0, id: $0) }
    }

    /// The job of that identifier.
    ///
    /// - Throws: ``JobError`` `noSuchJob`.
    public func job(_ id: String) throws(JobError) -> StoredJob {
        guard JobID.isValid(id), FileManager.default.fileExists(atPath: root + "/" + id) else {
            throw JobError(.noSuchJob, "There is no job '\(id)'. List them with: copystand jobs")
        }
        return StoredJob(folder: root + "/" + id, id: id)
    }

    /// Makes the folder of a new job, held by this process, with its order in it.
    ///
    /// - Throws: ``JobError`` `spoolUnusable` when the folder can't be made or written.
    func create(_ order: ScanOrder, at date: Date) throws(JobError) -> JobFolder {
        let folder = root + "/" + JobID.make(at: date)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(order.withoutSecrets).write(
                to: URL(filePath: folder + "/" + StoredJob.orderFile), options: .atomic)
        } catch {
            throw JobError(
                .spoolUnusable,
                "The spool folder \(root) can't be written: \(error). Free space, or name another "
                    + "folder in COPYSTAND_SPOOL")
        }
        return try JobFolder(path: folder)
    }
}

/// The names of jobs: the time they began and four random letters, so that they sort by age.
enum JobID {
    static func make(at date: Date) -> String {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let stamp = date.formatted(
            .iso8601.year().month().day().dateSeparator(.omitted).time(includingFractionalSeconds: false)
                .timeSeparator(.omitted).dateTimeSeparator(.standard))
        return stamp.replacing("T", with: "-") + "-" + String((0..<4).map { _ in letters.randomElement() ?? "a" })
    }

    /// True for what `make` makes: nothing that could lead out of the spool's folder.
    static func isValid(_ id: String) -> Bool {
        id.utf8.count <= 64 && !id.isEmpty
            && id.utf8.allSatisfy { byte in
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "-")
            }
    }
}

/// Why a job could not be begun, resumed or discarded.
public struct JobError: Error, Sendable {
    /// What sort of failure it is.
    public enum Code: Sendable {
        /// No job of that name.
        case noSuchJob
        /// Another process works on it.
        case running
        /// The spool's folder can't be used.
        case spoolUnusable
        /// The order in the job's folder is missing or damaged.
        case orderDamaged
    }

    /// What sort of failure it is.
    public let code: Code
    /// What failed and what to do next, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
