import CSQLite
import Documents
import ExpectedFailures
import Glibc
import Synchronization

/// A connection to a SQLite database.
///
/// Every statement is a literal of this program (`StaticString`): no text of a user can become SQL,
/// only a bound value. A connection is used by one thread at a time (`SQLITE_OPEN_NOMUTEX`); its
/// owner ensures that.
final class Connection: ArchiveDatabase {
    /// The rights of a connection.
    enum Access: Hashable {
        /// Read and write; the file is created if it does not exist.
        case create
        /// Read and write an existing file.
        case readWrite
        /// Read only.
        case readOnly
        /// Read a file that no one can write: without locks, so that a read-only folder is enough.
        case immutable
        /// Read without writing to the index of the log (`-shm`), which must exist, so that a full
        /// disk is enough. Without a writer, the index is made in memory; locks hold as always.
        case roomless
        /// Read the readable parts of a file that may be truncated.
        case damaged
    }

    var user = ArchiveUser(name: nil, station: "")
    let path: String
    let access: Access
    let handle: OpaquePointer
    /// Held as long as SQLite may open the database's files.
    private let place: ShortPath
    private var statements: [UnsafePointer<UInt8>: Statement] = [:]
    private let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    private static let count = Atomic<Int64>(0)

    /// Opens a database with `sqlite3_open_v2`.
    ///
    /// - Parameter patience: The milliseconds that a statement waits for other processes' locks.
    init(path: String, _ access: Access, patience: Int32) throws(DatabaseError) {
        let flags =
            switch access {
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly, .damaged: SQLITE_OPEN_READONLY
            case .immutable, .roomless: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let place = ShortPath(path)
        let name =
            switch access {
            case .immutable: "file:" + percentEncoded(place.text) + "?immutable=1"
            case .roomless: "file:" + percentEncoded(place.text) + "?readonly_shm=1"
            default: place.text
            }
        Self.replacedCalls
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            place.isOpen ? csqlite_unfollowed_paths() : nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(
                code: code,
                message: opened.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory",
                operation: "open", systemError: opened.map { sqlite3_system_errno($0) } ?? 0)
            sqlite3_close_v2(opened)
            throw error
        }
        self.path = path
        self.access = access
        self.place = place
        handle = opened
        sqlite3_busy_timeout(opened, patience)
        // A database is a file like any other: one made by someone else must not be able to run
        // anything here.
        for (option, on) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
        ] as [(Int32, Int32)] {
            csqlite_switch(opened, option, on)
        }
        try FoldingTokenizer.register(opened)
        try FieldFunction.register(opened)
        // Sorting must not need a disk that is full.
        try script("PRAGMA temp_store = MEMORY")
        if access == .damaged {
            // With a writable schema, SQLite accepts a file that is shorter than its header states;
            // it is only read anyway.
            csqlite_switch(opened, SQLITE_DBCONFIG_DEFENSIVE, 0)
            csqlite_switch(opened, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
        }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Runs a statement and passes each of its rows to `body`.
    func each(
        _ statement: SQLText, _ values: [SQLValue], _ body: (Row) throws -> Void
    ) throws {
        let text = statement.sqlite
        if let known = statements[text.utf8Start], !known.isBusy {
            return try known.run(values, body)
        }
        let statement = try Statement(text, handle)
        if statements[text.utf8Start] == nil { statements[text.utf8Start] = statement }
        try statement.run(values, body)
    }

    /// Runs a statement that changes or inserts one row, and returns that row's key.
    func insert(_ statement: SQLText, _ values: [SQLValue]) throws -> Int64 {
        try run(statement, values)
        return sqlite3_last_insert_rowid(handle)
    }

    /// Runs several statements that take no values, with `sqlite3_exec`.
    func script(_ text: StaticString) throws(DatabaseError) {
        let code = sqlite3_exec(
            handle, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self), nil, nil,
            nil)
        guard code == SQLITE_OK else { throw failure("\(text)") }
    }

    /// SQLite's last message, as an error.
    func failure(_ operation: String) -> DatabaseError {
        DatabaseError(
            code: sqlite3_extended_errcode(handle),
            message: String(cString: sqlite3_errmsg(handle)),
            operation: operation, systemError: sqlite3_system_errno(handle))
    }

    private static let replacedCalls: Void = csqlite_replace_calls()

    /// Throws an error if the names of SQLite's files in their folder may not be durable, since the
    /// folder could not be synced.
    func checkFolder() throws(DatabaseError) {
        let fault = csqlite_take_folder_fault()
        guard fault == 0 else {
            throw DatabaseError(
                code: SQLITE_IOERR, message: String(cString: strerror(fault)),
                operation: "sync the folder", systemError: fault)
        }
    }

    /// The number of rows that the last statement changed, inserted or deleted.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Runs `body` in one transaction: all of its changes are made, or none.
    ///
    /// The write lock is taken at the start (`BEGIN IMMEDIATE`), where waiting for it can't cause a
    /// deadlock.
    func write<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction("BEGIN IMMEDIATE", body)
    }

    /// Runs `body` on one state of the database, whatever others write meanwhile.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction("BEGIN", body)
    }

    /// Does nothing: only one transaction can write at a time.
    func hold(_ documents: [Int64]) {}

    /// Does nothing: only one transaction can write at a time.
    func hold(job: String) {}

    func name(_ image: NewImage) throws {
        try run(
            "INSERT INTO image (hash, bytes, media) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.blob(image.hash.bytes), .integer(image.bytes), .text(image.media)])
    }

    /// Returns null: SQLite gives a row the next id.
    func pageKeys(_ count: Int, created: Double) -> [SQLValue] {
        [SQLValue](repeating: .null(.integer), count: count)
    }

    /// Returns null: SQLite gives a row the next id.
    func pageKey(besides page: Int64) -> SQLValue { .null(.integer) }

    /// Does nothing: there is one table for all pages.
    func makeRoom(created: Double) {}

    /// Does nothing: there is one table for all pages.
    func makeRoom(pages keys: [Int64]) {}

    /// Does nothing: SQLite continues from the highest id.
    func noteKeys() {}

    /// The changes of others (`PRAGMA data_version`), and rows that this connection has changed
    /// (`sqlite3_total_changes`).
    func stamp() throws -> ArchiveStamp {
        ArchiveStamp(
            connection: number,
            others: try first("PRAGMA data_version") { try $0.integer(0) } ?? 0,
            own: sqlite3_total_changes(handle))
    }

    var index: any PageIndex { SQLitePageIndex(self) }

    private func transaction<Value>(
        _ begin: SQLText, _ body: () throws -> Value
    ) throws -> Value {
        try run(begin)
        do {
            let value = try body()
            _ = csqlite_take_folder_fault()
            try run("COMMIT")
            try checkFolder()
            return value
        } catch {
            // A full disk, for example, has already rolled back the transaction.
            if sqlite3_get_autocommit(handle) == 0 { cleaningUp { try run("ROLLBACK") } }
            throw error
        }
    }
}

/// A path in the form that SQLite's file URIs need.
private func percentEncoded(_ path: String) -> String {
    var result = ""
    for byte in path.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            result.unicodeScalars.append(Unicode.Scalar(byte))
        default:
            let digits = String(byte, radix: 16)
            result += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
        }
    }
    return result
}
