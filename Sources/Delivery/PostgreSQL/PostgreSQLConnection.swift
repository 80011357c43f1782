import CPostgreSQL
import Dispatch
import Glibc

/// A connection to a PostgreSQL server, by libpq.
///
/// Every statement is a literal of this program or made of such literals and numbers: no text of a
/// user can become SQL, only a bound value. Calls block. A connection is used by one thread at a
/// time; its owner ensures that.
///
///     let database = try PostgreSQLConnection("postgresql:///scans", purpose: "archive")
///     try database.each("SELECT title FROM document WHERE id = $1", [.integer(12)]) {
///         print(try $0.text(0))
///     }
public final class PostgreSQLConnection {
    private let handle: OpaquePointer
    /// The seconds that the server may take for a statement; then the connection counts as lost.
    private let patience: Double

    /// Connects, with `PQconnectdb`.
    ///
    /// The attempt to connect ends after ten seconds, and a silent connection counts as lost after
    /// thirty. A statement waits for a lock for at most ten seconds.
    ///
    /// - Parameters:
    ///   - address: an address checked by ``PostgreSQLAddress``.
    ///   - purpose: the name in the server's list of connections, after `copystand`.
    ///   - schema: the schema of names without one.
    ///   - patience: the maximum seconds for a statement: a stopped server, or one with a hung
    ///     disk, keeps its connections and never answers.
    /// - Throws: ``PostgreSQLError``.
    public init(
        _ address: PostgreSQLAddress, purpose: String, schema: String, patience: Double = 3600
    ) throws(PostgreSQLError) {
        try Self.load()
        let settings = [
            "connect_timeout=10", "client_encoding=UTF8", "keepalives_idle=10",
            "keepalives_interval=5", "keepalives_count=3", "tcp_user_timeout=30000",
            "application_name=copystand-\(purpose)",
        ]
        let whole = address.text(with: settings)
        guard let handle = PQconnectdb(whole) else {
            throw PostgreSQLError(state: "", message: "no memory is left", operation: "connect")
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            let words = String(cString: PQerrorMessage(handle))
            PQfinish(handle)
            throw PostgreSQLError(
                state: Self.state(of: words), message: oneLine(words), operation: "connect")
        }
        copystand_postgresql_be_quiet(handle)
        self.handle = handle
        self.patience = patience
        // Compiling takes longer than the compiled query: a search reads few rows of many
        // partitions.
        try script(
            "SET search_path = \(schema), pg_catalog; SET lock_timeout = '10s'; "
                + "SET idle_in_transaction_session_timeout = '120s'; SET bytea_output = hex; "
                + "SET jit = off")
    }

    deinit { PQfinish(handle) }

    /// Loads libpq.
    ///
    /// - Throws: ``PostgreSQLError`` which names the missing package.
    static func load() throws(PostgreSQLError) {
        guard copystand_postgresql_load() != 0 else { return }
        let why = copystand_postgresql_problem().map { String(cString: $0) } ?? ""
        throw PostgreSQLError(
            state: "", message: "libpq can't be loaded (\(why)); it is in Debian's package libpq5",
            operation: "connect")
    }

    /// The SQLSTATE of a refused connection, from the server's words, because libpq gives none.
    private static func state(of words: String) -> String {
        if words.contains("password authentication failed") || words.contains("no password") {
            return "28P01"
        }
        if words.contains("no pg_hba.conf entry") || words.contains("authentication failed")
            || words.contains("role") && words.contains("does not exist")
        {
            return "28000"
        }
        if words.contains("database"), words.contains("does not exist") { return "3D000" }
        if words.contains("too many clients") || words.contains("connection slots are reserved") {
            return "53300"
        }
        return ""
    }

    /// True if the connection can be used again: it is neither lost nor within a transaction.
    public var isIdle: Bool {
        PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    /// Runs a statement and passes each of its rows to `body`.
    ///
    /// - Parameter text: with `$1`, `$2`… for the values.
    /// - Returns: the number of rows that it changed, inserted, deleted or returned.
    /// - Throws: ``PostgreSQLError``, and the errors of `body`.
    @discardableResult
    public func each(
        _ text: String, _ values: [PostgreSQLValue] = [],
        _ body: (PostgreSQLRow) throws -> Void = { _ in }
    ) throws -> Int {
        let result = try run(text, values)
        for number in 0..<result.count { try body(result.row(number)) }
        return result.changes
    }

    /// Runs statements that take no values, in one transaction unless they have their own.
    ///
    /// - Throws: ``PostgreSQLError``.
    public func script(_ text: String) throws(PostgreSQLError) {
        try check(limited { PQexec(handle, text) }, text)
    }

    /// Runs a call of libpq, which ends with the connection when the server is silent for too long.
    private func limited<Answer>(_ call: () -> Answer) -> Answer {
        let socket = PQsocket(handle)
        let alarm = DispatchWorkItem { shutdown(socket, Int32(SHUT_RDWR)) }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: alarm)
        defer { alarm.cancel() }
        return call()
    }

    /// The channels of notifications that have arrived since the last call (`LISTEN`).
    ///
    /// - Parameter milliseconds: the time to wait if there is none yet.
    /// - Throws: ``PostgreSQLError`` when the connection is lost.
    public func notifications(within milliseconds: Int) throws(PostgreSQLError) -> [String] {
        var found = try waitingNotifications()
        guard found.isEmpty, milliseconds > 0 else { return found }
        var file = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        _ = poll(&file, 1, Int32(clamping: milliseconds))
        found = try waitingNotifications()
        return found
    }

    private func waitingNotifications() throws(PostgreSQLError) -> [String] {
        guard PQconsumeInput(handle) != 0 else { throw lost("listen") }
        var found: [String] = []
        while let note = PQnotifies(handle) {
            found.append(String(cString: note.pointee.relname))
            PQfreemem(note)
        }
        return found
    }

    private func run(
        _ text: String, _ values: [PostgreSQLValue]
    ) throws(PostgreSQLError) -> PostgreSQLResult {
        let bytes = values.map(\.binary)
        let types = values.map(\.kind.rawValue)
        let lengths = bytes.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: values.count)
        // All values share one buffer, so their addresses are valid as long as it exists.
        let starts = bytes.reduce(into: [0]) { $0.append($0[$0.count - 1] + ($1?.count ?? 0)) }
        var all: [CChar] = []
        all.reserveCapacity(starts.last ?? 0)
        for value in bytes.compactMap({ $0 }) {
            all.append(contentsOf: value.lazy.map(CChar.init(bitPattern:)))
        }
        // An empty value needs an address as well: without one it would be null.
        all.append(0)
        let answer = all.withUnsafeBufferPointer { buffer in
            let pointers = zip(bytes, starts).map { value, start in
                value == nil ? nil : buffer.baseAddress.map { $0 + start }
            }
            return limited {
                PQexecParams(
                    handle, text, Int32(values.count), types, pointers, lengths, formats, 1)
            }
        }
        return try check(answer, text)
    }

    @discardableResult
    private func check(
        _ answer: OpaquePointer?, _ text: String
    ) throws(PostgreSQLError) -> PostgreSQLResult {
        let line = text.split(separator: "\n").first.map(String.init) ?? ""
        guard let answer else { throw lost(line) }
        let result = PostgreSQLResult(answer, operation: line)
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return result
        default:
            let state = result.field(Int32(UInt8(ascii: "C")))
            guard !state.isEmpty, PQstatus(handle) == CONNECTION_OK else { throw lost(line) }
            throw PostgreSQLError(
                state: state, message: result.field(Int32(UInt8(ascii: "M"))), operation: line)
        }
    }

    private func lost(_ operation: String) -> PostgreSQLError {
        PostgreSQLError(
            state: "", message: oneLine(String(cString: PQerrorMessage(handle))),
            operation: operation)
    }
}

/// libpq's words on one line.
private func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
        .joined(separator: "; ")
}
