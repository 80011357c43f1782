import Documents
import ExpectedFailures
import PostgreSQL

/// An archive's tables on a PostgreSQL server.
final class PostgreSQLDatabase: ArchiveDatabase {
    var user = ArchiveUser(name: nil, station: "")
    let connection: PostgreSQLConnection
    private(set) var changes = 0
    /// Statements with PostgreSQL's marks for values.
    private var texts: [UnsafePointer<UInt8>: String] = [:]
    private var madeTokenizer: TextTokenizer?

    /// The schema with the archive's tables.
    static let schema = "copystand"

    init(_ address: PostgreSQLAddress, _ access: Archive.Access) throws {
        connection = try PostgreSQLConnection(address, purpose: "archive", schema: Self.schema)
        if access == .readOnly {
            try connection.script("SET default_transaction_read_only = on")
        }
    }

    /// The tokenizer of the index.
    func tokenizer() throws -> TextTokenizer {
        if let madeTokenizer { return madeTokenizer }
        let made = try TextTokenizer()
        madeTokenizer = made
        return made
    }

    func each(
        _ statement: SQLText, _ values: [SQLValue], _ body: (Row) throws -> Void
    ) throws {
        changes = try connection.each(text(statement), values.map(Self.value)) {
            try body(Row($0))
        }
    }

    func insert(_ statement: SQLText, _ values: [SQLValue]) throws -> Int64 {
        var id: Int64?
        changes = try connection.each(text(statement) + " RETURNING id", values.map(Self.value)) {
            id = try $0.integer(0)
        }
        guard let id else {
            throw ArchiveError(
                .changedMeanwhile, "What was to be copied is no longer in the archive. Try again.")
        }
        return id
    }

    /// The number of conflicts after which a transaction is given up.
    private static let mostConflicts = 20

    func write<Value>(_ body: () throws -> Value) throws -> Value {
        var conflicts = 0
        while true {
            do {
                return try transaction("BEGIN") {
                    let value = try body()
                    try connection.each(Self.noteChange, [])
                    return value
                }
            } catch let error as PostgreSQLError
                where error.kind == .conflict && conflicts < Self.mostConflicts
            {
                conflicts += 1
            }
        }
    }

    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
    }

    private func transaction<Value>(
        _ begin: String, _ body: () throws -> Value
    ) throws -> Value {
        try connection.script(begin)
        do {
            let value = try body()
            try connection.script("COMMIT")
            return value
        } catch {
            cleaningUp { try connection.script("ROLLBACK") }
            throw error
        }
    }

    /// The statement that ends a transaction that writes.
    ///
    /// As the last one, it locks its row only until the commit. A count that can't grow would keep
    /// everyone from writing.
    private static let noteChange = """
        UPDATE moment SET count = CASE WHEN count < 1000000000000000 THEN count + 1 ELSE 0 END
        WHERE slot = pg_backend_pid() % 64
        """

    func hold(_ documents: [Int64]) throws {
        // Every transaction locks in this order, so that no two wait for each other.
        for document in Set(documents).sorted() {
            try run("SELECT 1 FROM document WHERE id = ? FOR UPDATE", [.integer(document)])
        }
    }

    func hold(job: String) throws {
        try run("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [.text(job)])
    }

    func name(_ image: NewImage) throws {
        let isHeld = try first(
            "SELECT 1 FROM image WHERE hash = ? AND touched > now() - interval '12 hours'",
            [.blob(image.hash.bytes)]
        ) { try $0.integer(0) }
        guard isHeld != nil else {
            throw ArchiveError(
                .changedMeanwhile,
                "The document took more than half a day to be added, so its pictures may be gone again. Add it once more."
            )
        }
    }

    func pageKeys(_ count: Int, created: Double) throws -> [SQLValue] {
        try all(
            "SELECT (month(?1) << 40) + nextval('page_number') FROM generate_series(1, ?2)",
            [.real(created), .integer(count)]
        ) { .integer(try $0.integer(0)) }
    }

    /// An id of the same month, whose partition exists.
    func pageKey(besides page: Int64) throws -> SQLValue {
        try first(
            "SELECT (?1 >> 40 << 40) + nextval('page_number')", [.integer(page)]
        ) { .integer(try $0.integer(0)) } ?? .null(.integer)
    }

    func makeRoom(created: Double) throws {
        let isThere = try first(
            "SELECT 1 FROM room WHERE month = month(?)", [.real(created)]
        ) { try $0.integer(0) }
        guard isThere == nil else { return }
        try run("SELECT make_room(month(?))", [.real(created)])
    }

    func makeRoom(pages keys: [Int64]) throws {
        for month in Set(keys.map { $0 >> 40 }) {
            try run("SELECT make_room(?)", [.integer(month)])
        }
    }

    func noteKeys() throws {
        try run(
            """
            SELECT setval('page_number', greatest(
                (SELECT max(id & 1099511627775) FROM page), (SELECT last_value FROM page_number), 1)),
            setval(pg_get_serial_sequence('document', 'id'), greatest(
                (SELECT max(id) FROM document), 1)),
            setval(pg_get_serial_sequence('audit', 'id'), greatest(
                (SELECT max(id) FROM audit), 1))
            """)
    }

    func stamp() throws -> ArchiveStamp {
        ArchiveStamp(
            others: try first("SELECT (sum(count) % 1000000000000000000)::bigint FROM moment") {
                try $0.integer(0)
            } ?? 0, own: 0)
    }

    var index: any PageIndex { PostgreSQLPageIndex(self) }

    private static func value(_ value: SQLValue) -> PostgreSQLValue {
        switch value {
        case .null(.integer): .null(.integer)
        case .null(.real): .null(.real)
        case .null(.text): .null(.text)
        case .null(.blob): .null(.bytes)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(text)
        case .blob(let bytes): .bytes(bytes)
        }
    }

    /// A statement with `$1`, `$2`… for its values.
    private func text(_ statement: SQLText) -> String {
        let place = statement.postgresql.utf8Start
        if let known = texts[place] { return known }
        var text = ""
        var next = 1
        var rest = Substring("\(statement.postgresql)")
        while let mark = rest.firstIndex(of: "?") {
            text += rest[..<mark] + "$"
            rest = rest[mark...].dropFirst()
            if rest.first?.isNumber != true {
                text += String(next)
                next += 1
            }
        }
        text += rest
        texts[place] = text
        return text
    }
}
