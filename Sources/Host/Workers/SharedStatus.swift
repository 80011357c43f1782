public import Archive
import Delivery
public import Documents
import PostgreSQL
public import WorkQueue

/// The state of the machines that share an archive.
public struct SharedStatus: Sendable {
    /// Stations and workers.
    public let machines: [SeenMachine]
    /// The jobs that wait for workers.
    public let queue: QueueStatus
    /// The last jobs that were given up.
    public let dead: [DeadJob]
    /// The space that the archive takes.
    public let space: ArchiveSpace?

    /// Asks the server.
    ///
    /// - Parameters:
    ///   - place: the address of the archive's database.
    ///   - user: the one who asks; a user who sees only their own documents gets only their jobs,
    ///     and no machines. The program's user unless given.
    /// - Throws: `ArchiveError`.
    public init(of place: String, for user: ArchiveUser? = nil) throws(ArchiveError) {
        let opened = try Archive.open(place, .readWrite)
        let archive = opened.used(by: user ?? opened.user)
        let own = archive.user.sees == .own ? try archive.visibleLeftJobs() : nil
        space = try archive.space()
        do {
            let queue = try WorkQueue(PostgreSQLAddress(place))
            self.queue = try queue.status(of: own)
            machines = own == nil ? try queue.machines() : []
            dead = try queue.deadJobs().filter { own?.contains($0.key) ?? true }
        } catch { throw ArchiveError.wrapping(error, path: place) }
    }
}

/// Jobs that workers gave up.
public enum DeadJobs {
    /// Retries a job that was given up, with the attempts of a new one; all such jobs for
    /// nil.
    ///
    /// - Returns: the number of jobs that wait again.
    /// - Throws: `ArchiveError`.
    public static func retry(_ wanted: Int64?, in place: String) throws(ArchiveError) -> Int {
        do {
            let queue = try WorkQueue(PostgreSQLAddress(place))
            let numbers = try wanted.map { [$0] } ?? queue.deadJobs(limit: .max).map(\.id)
            return try numbers.count { try queue.retry($0) }
        } catch { throw ArchiveError.wrapping(error, path: place) }
    }

    /// Deletes a given-up job with its captured pages, for good.
    ///
    /// - Returns: false when there is no such job.
    /// - Throws: `ArchiveError`.
    public static func drop(_ number: Int64, in place: String) throws(ArchiveError) -> Bool {
        do {
            let queue = try WorkQueue(PostgreSQLAddress(place))
            guard let job = try queue.deadJobs(limit: .max).first(where: { $0.id == number }) else {
                return false
            }
            return try Archive.open(place, .readWrite).discardLeftJob(job.key)
        } catch { throw ArchiveError.wrapping(error, path: place) }
    }
}
