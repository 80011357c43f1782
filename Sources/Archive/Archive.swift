import CSQLite
import Documents
import Glibc
import Synchronization
public import UserFiles

/// Documents on this machine: one SQLite file, and a folder of images.
///
///     let archive = try Archive(folder: Archive.standardFolder(environment: environment), .create)
///     for hit in try archive.search("invoice 2291").hits { print(hit.title, hit.page) }
///
/// Several processes may use it at once, and several threads one value. Calls block, on the disk and on other writers' locks: they
/// belong off the cooperative pool. Every error is an ``ArchiveError``.
public final class Archive: Sendable {
    /// What is to be done with an archive.
    public enum Access: Hashable, Sendable {
        /// Read and write; the archive is made when there is none.
        case create
        /// Read and write an archive that is there.
        case readWrite
        /// Read an archive that is there, also in a folder that can't be written.
        case readOnly
    }

    /// Its folder.
    public let folder: String
    let images: ImageStore
    private let guarded: Mutex<Guarded>

    /// The connection, which only ``access(_:)`` hands out, and only under the mutex.
    ///
    /// `@unchecked Sendable`: no two threads use it at once, and nothing keeps it beyond the call.
    private struct Guarded: @unchecked Sendable {
        let connection: Connection
    }

    /// The user's archive: `$XDG_DATA_HOME/copystand`, or else `~/.local/share/copystand`.
    ///
    /// - Throws: `UserFileError` when there is no such folder of the user's.
    public static func standardFolder(
        environment: [String: String]
    ) throws(UserFileError) -> String {
        try UserFolders(environment: environment).usable(.data)
    }

    /// Opens an archive, and brings one of an older version up to date where it may be written.
    ///
    /// - Parameter patience: How long a call waits for other writers, in milliseconds; ten seconds unless given.
    /// - Throws: ``ArchiveError``: `missing`, `folderUnusable`, `readOnly`, `damaged`, `notAnArchive`, `newerVersion`, `busy`.
    public convenience init(
        folder: String, _ access: Access, patience: Int = 10_000
    ) throws(ArchiveError) {
        try self.init(folder: folder, access, patience: patience, migrator: Migrator())
    }

    init(
        folder: String, _ access: Access, patience: Int = 10_000, migrator: Migrator,
        disk: ImageDisk = ImageDisk()
    ) throws(ArchiveError) {
        let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let path = folder + "/archive.sqlite"
        if access == .create {
            try makeFolder(folder)
        } else if Glibc.access(path, F_OK) != 0 {
            throw ArchiveError(
                .missing,
                "There is no archive in '\(folder)'. 'copystand scan' makes one with its first document, or name another with "
                    + "--archive.")
        }
        do {
            let connection = try Self.connect(path, access, patience, migrator)
            guarded = Mutex(Guarded(connection: connection))
        } catch {
            throw .wrapping(error, path: path)
        }
        self.folder = folder
        images = ImageStore(folder: folder + "/images", disk: disk)
    }

    private static func connect(
        _ path: String, _ access: Access, _ patience: Int, _ migrator: Migrator
    ) throws -> Connection {
        let patience = Int32(clamping: patience)
        var status = stat()
        // SQLite takes a file shorter than its smallest page for an empty one, and would write over it.
        if stat(path, &status) == 0, (1..<512).contains(status.st_size) {
            throw DatabaseError(code: SQLITE_NOTADB, message: "too short", operation: "open")
        }
        if access == .readOnly {
            // Without its -wal file nobody is writing; then a folder that can't be written is no hindrance.
            let isSealed =
                Glibc.access(path + "-wal", F_OK) != 0
                && faccessat(AT_FDCWD, path.parent, W_OK, AT_EACCESS) != 0
            let connection = try Connection(
                path: path, isSealed ? .immutable : .readOnly, patience: patience)
            let version = try migrator.version(of: connection)
            guard version == migrator.steps.count else {
                throw ArchiveError(
                    .readOnly,
                    "The archive '\(path)' is of an older version (\(version)) and has to be brought up to date, but can't be "
                        + "written. Change its permissions.")
            }
            return connection
        }
        // SQLite writes files beside the database; without leave to it would say no more than that it can't open it.
        guard faccessat(AT_FDCWD, path.parent, W_OK | X_OK, AT_EACCESS) == 0 else {
            throw ArchiveError(
                DatabaseError(code: SQLITE_READONLY, message: "", operation: "open"), path: path)
        }
        // Pages of documents are private: nobody else may read the files that are made here.
        let connection = try Connection(
            path: path, access == .create ? .create : .readWrite, patience: patience)
        chmod(path, 0o600)
        _ = try migrator.version(of: connection)
        try keepLog(connection, patience)
        // A document is durable when its transaction has been committed.
        try connection.run("PRAGMA synchronous = FULL")
        try migrator.migrate(connection)
        return connection
    }

    /// Changes the database to write-ahead logging, which it then keeps.
    ///
    /// Where several make an archive at once each may hold a lock that the other waits for; SQLite then gives up at once, whatever its patience is.
    private static func keepLog(_ connection: Connection, _ patience: Int32) throws {
        let deadline = ContinuousClock.now + .milliseconds(Int(patience))
        while true {
            do {
                return try connection.run("PRAGMA journal_mode = WAL")
            } catch let error as DatabaseError
                where error.primaryCode == SQLITE_BUSY && ContinuousClock.now < deadline
            {
                usleep(10_000)
            }
        }
    }

    /// Runs `body` with the connection, alone among this process's threads.
    func access<Value: Sendable>(
        _ body: (Connection) throws -> Value
    ) throws(ArchiveError) -> Value {
        do {
            return try guarded.withLock { try body($0.connection) }
        } catch {
            throw .wrapping(error, path: folder + "/archive.sqlite")
        }
    }

    /// The lock between those who add images and those who remove them.
    var lockPath: String { folder + "/images.lock" }
}

/// Makes a folder that only its owner can look into, and those that lead to it, durably: each is synced into the one it lies in.
package func makeFolder(_ path: String) throws(ArchiveError) {
    guard mkdir(path, 0o700) != 0 else { return try syncFolder(path.parent) }
    switch errno {
    case EEXIST:
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ArchiveError(
                .folderUnusable, "'\(path)' is not a folder. Name another with --archive.")
        }
    case ENOENT where path.parent != path:
        try makeFolder(path.parent)
        try makeFolder(path)
    default: throw .system(errno, "make the folder", path)
    }
}

extension String {
    /// The folder that a path lies in.
    var parent: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}

/// Seconds since 1970-01-01T00:00:00Z, by the system's clock.
func secondsNow() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
