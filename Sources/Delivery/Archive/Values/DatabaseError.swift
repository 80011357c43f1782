import CSQLite
import Glibc
import UserFiles

/// An error that SQLite reported.
struct DatabaseError: Error, Hashable {
    /// The extended result code, such as `SQLITE_CONSTRAINT_FOREIGNKEY`.
    let code: Int32
    /// SQLite's message.
    let message: String
    /// The statement, or another action, such as "open".
    let operation: String
    /// The `errno` of the failed system call, if SQLite knows it; 0 for none.
    var systemError: Int32 = 0

    /// The code without its extension, such as `SQLITE_CONSTRAINT`.
    var primaryCode: Int32 { code & 0xFF }

    /// The name and number people find in SQLite's documentation, such as "SQLITE_FULL (13)".
    var codeName: String { "\(String(cString: sqlite3_errstr(code))) (SQLite error \(code))" }
}

extension DatabaseError {
    /// The bytes without which SQLite can't begin to write: its index of the log, and some pages of
    /// the log.
    static let leastRoom = 128 << 10

    /// The reason why the disk of the database at `path` can't be written; nil for other failures.
    func refusal(at path: String) -> DiskRefusal? {
        switch primaryCode {
        case SQLITE_FULL: return DiskRefusal(ENOSPC, at: path, needed: Self.leastRoom)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            // SQLite has often made other calls since the failure, so the disk is checked.
            return DiskRefusal(systemError, at: path, needed: Self.leastRoom)
                ?? DiskRefusal(of: path, needed: Self.leastRoom)
        case SQLITE_READONLY:
            guard DiskState(of: path)?.isReadOnly == true else { return nil }
            return DiskRefusal(EROFS, at: path)
        default: return nil
        }
    }
}
