import CSQLite
import Synchronization
import UserFiles

/// A SQLite file as it could be opened.
struct OpenedDatabase {
    let connection: Connection
    /// False for a connection that serves one access, since others may be made later: the disk was
    /// full, or can't be written.
    var isLasting = true
    /// The reason why the disk can't be written, if the connection should have been able to.
    var refusal: (any Error)?
    /// The files as they were before a connection without locks was made.
    var files: StillFiles?
}

/// The one connection to a SQLite file.
///
/// While its disk is full or read-only, each access gets a connection of its own that only reads.
/// As soon as the disk accepts data again, a connection for everything is made and kept.
final class SingleConnection: DatabaseAccess {
    /// `@unchecked Sendable`: no two threads use it at once, and nothing keeps it beyond the call.
    private struct Guarded: @unchecked Sendable {
        var lasting: Connection?
    }

    private let guarded: Mutex<Guarded>
    private let patience: Int
    private let open: @Sendable () throws -> OpenedDatabase

    /// Opens the file once, to see that it can be read.
    ///
    /// - Parameter patience: The milliseconds that an access waits for others.
    init(patience: Int, _ open: @escaping @Sendable () throws -> OpenedDatabase) throws {
        let first = try open()
        guarded = Mutex(Guarded(lasting: first.isLasting ? first.connection : nil))
        self.patience = patience
        self.open = open
    }

    func access<Value: Sendable>(
        _ body: (any ArchiveDatabase) throws -> Value
    ) throws -> Value {
        try guarded.withLock { guarded in
            var waited = 0
            while true {
                let opened = try guarded.lasting.map { OpenedDatabase(connection: $0) } ?? open()
                guarded.lasting = opened.isLasting ? opened.connection : nil
                let outcome = Result { try body(opened.connection) }
                if opened.files?.areUnchanged ?? true {
                    do { return try outcome.get() } catch let error as DatabaseError {
                        guard opened.connection.isDisturbed(error) else {
                            throw opened.refusal.map { error.isRefusal ? $0 : error } ?? error
                        }
                    }
                }
                guard waited < patience else { throw Self.disturbed(opened.connection.path) }
                guarded.lasting = nil
                sqlite3_sleep(10)
                waited += 10
            }
        }
    }

    private static func disturbed(_ path: String) -> DatabaseError {
        DatabaseError(code: SQLITE_BUSY, message: "changed by others", operation: path)
    }
}

extension DatabaseError {
    /// True if a connection that only reads was asked to write.
    fileprivate var isRefusal: Bool { primaryCode == SQLITE_READONLY }
}

extension Connection {
    /// True for an error that others cause, who open or close the same file at this moment.
    ///
    /// On a full disk they share an index of the log that is not finished. In this process, a
    /// connection that can write may have got the index of one that can't.
    fileprivate func isDisturbed(_ error: DatabaseError) -> Bool {
        guard error.primaryCode == SQLITE_READONLY else { return false }
        let reason = error.code >> 8
        return access == .readWrite || access == .create
            ? DiskState(of: path)?.isReadOnly == false : [1, 2, 5].contains(reason)
    }
}
