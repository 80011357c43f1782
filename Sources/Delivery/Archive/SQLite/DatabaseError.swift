import CSQLite

/// An error that SQLite reported.
struct DatabaseError: Error, Hashable {
    /// The extended result code, such as `SQLITE_CONSTRAINT_FOREIGNKEY`.
    let code: Int32
    /// SQLite's message.
    let message: String
    /// The statement, or what else was being done, such as "open".
    let operation: String

    /// The code without its extension, such as `SQLITE_CONSTRAINT`.
    var primaryCode: Int32 { code & 0xFF }

    /// The name and number people find in SQLite's documentation, such as "SQLITE_FULL (13)".
    var codeName: String { "\(String(cString: sqlite3_errstr(code))) (SQLite error \(code))" }
}
