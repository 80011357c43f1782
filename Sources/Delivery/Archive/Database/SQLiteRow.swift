import CSQLite

/// A row of a SQLite result; see ``Row``.
struct SQLiteRow {
    private let handle: OpaquePointer
    private let text: StaticString

    init(_ handle: OpaquePointer, _ text: StaticString) {
        self.handle = handle
        self.text = text
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) throws(DatabaseError) -> Int64 {
        try expect(SQLITE_INTEGER, column)
        return sqlite3_column_int64(handle, column)
    }

    func real(_ column: Int32) throws(DatabaseError) -> Double {
        if sqlite3_column_type(handle, column) == SQLITE_INTEGER {
            return Double(sqlite3_column_int64(handle, column))
        }
        try expect(SQLITE_FLOAT, column)
        return sqlite3_column_double(handle, column)
    }

    func text(_ column: Int32) throws(DatabaseError) -> String {
        try expect(SQLITE_TEXT, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func blob(_ column: Int32) throws(DatabaseError) -> [UInt8] {
        try expect(SQLITE_BLOB, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func expect(_ type: Int32, _ column: Int32) throws(DatabaseError) {
        let found = sqlite3_column_type(handle, column)
        guard found == type else {
            throw DatabaseError(
                code: SQLITE_MISMATCH,
                message: "column \(column) holds type \(found) instead of \(type)",
                operation: "\(text)")
        }
    }
}
