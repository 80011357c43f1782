import CSQLite

/// A prepared statement.
///
/// It is used by one thread at a time, as its connection is.
final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let text: StaticString

    /// Compiles `text`, with `sqlite3_prepare_v3`.
    init(_ text: StaticString, _ database: OpaquePointer) throws(DatabaseError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database, SQLiteMacro.expanded("\(text)"), -1, UInt32(SQLITE_PREPARE_PERSISTENT),
            &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw DatabaseError(
                code: code == SQLITE_OK ? SQLITE_MISUSE : sqlite3_extended_errcode(database),
                message: String(cString: sqlite3_errmsg(database)), operation: "\(text)")
        }
        self.handle = handle
        self.database = database
        self.text = text
    }

    deinit { sqlite3_finalize(handle) }

    /// True while its rows are being read.
    var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Runs the statement with values for its parameters, in order, and gives each row to `body`.
    func run(_ values: [SQLValue], _ body: (Row) throws -> Void) throws {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw DatabaseError(
                code: SQLITE_RANGE,
                message:
                    "\(values.count) values for \(sqlite3_bind_parameter_count(handle)) parameters",
                operation: "\(text)")
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try body(Row(SQLiteRow(handle, text)))
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) throws(DatabaseError) {
        let code: Int32
        switch value {
        case .null(_): code = sqlite3_bind_null(handle, index)
        case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
        case .real(let number): code = sqlite3_bind_double(handle, index, number)
        case .text(let string):
            var string = string
            code = string.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    csqlite_bind_text(handle, index, $0.baseAddress, $0.count)
                }
            }
        case .blob(let bytes):
            code = bytes.withUnsafeBytes {
                csqlite_bind_blob(handle, index, $0.baseAddress, $0.count)
            }
        }
        guard code == SQLITE_OK else { throw failure() }
    }

    private func failure() -> DatabaseError {
        DatabaseError(
            code: sqlite3_extended_errcode(database),
            message: String(cString: sqlite3_errmsg(database)), operation: "\(text)",
            systemError: sqlite3_system_errno(database))
    }
}
