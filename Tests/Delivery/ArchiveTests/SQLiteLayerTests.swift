import CSQLite
import Testing

@testable import Archive

@Suite struct SQLiteLayerTests {
    private let folder: TestFolder
    private let database: Connection

    init() throws {
        folder = try TestFolder()
        database = try Connection(path: folder.path + "/x.sqlite", .create, patience: 50)
        try database.script(
            """
            CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE thing (
                id INTEGER PRIMARY KEY, number INTEGER, share REAL, name TEXT, bytes BLOB,
                parent INTEGER REFERENCES parent (id)
            ) STRICT;
            """)
    }

    @Test("Every kind of value is read as it was bound, including empty ones")
    func values() throws {
        try database.run(
            "INSERT INTO thing (number, share, name, bytes) VALUES (?, ?, ?, ?), (?, ?, ?, ?)",
            [
                .integer(Int64.min), .real(0.1), .text("a\u{0}b é 漢"), .blob([0, 255]),
                .null(.integer),
                .null(.integer), .text(""), .blob([]),
            ])
        let rows = try database.all("SELECT number, share, name, bytes FROM thing ORDER BY id") {
            (
                $0.isNull(0) ? nil : try $0.integer(0), $0.isNull(1) ? nil : try $0.real(1),
                try $0.text(2), try $0.blob(3)
            )
        }
        #expect(rows[0].0 == .min && rows[0].1 == 0.1 && rows[0].2 == "a\u{0}b é 漢")
        #expect(rows[0].3 == [0, 255])
        #expect(rows[1].0 == nil && rows[1].1 == nil && rows[1].2 == "" && rows[1].3 == [])
    }

    @Test("A column of another type is an error, not a guess")
    func strictReading() throws {
        #expect {
            try database.all("SELECT 'seven'") { try $0.integer(0) }
        } throws: { ($0 as? DatabaseError)?.code == SQLITE_MISMATCH }
        #expect(throws: DatabaseError.self) {
            try database.all("SELECT NULL") { try $0.text(0) }
        }
    }

    @Test("Too many or too few values are refused before the statement runs")
    func parameterCount() throws {
        for values in [[SQLValue.integer(1), .integer(2)], []] {
            #expect(throws: DatabaseError.self) {
                try database.run("INSERT INTO parent (id) VALUES (?)", values)
            }
        }
        #expect(try database.first("SELECT count(*) FROM parent") { try $0.int(0) } == 0)
    }

    @Test("An error has SQLite's extended code, its message and the statement")
    func errors() throws {
        #expect {
            try database.run("INSERT INTO thing (parent) VALUES (5)")
        } throws: {
            guard let error = $0 as? DatabaseError else { return false }
            // SQLITE_CONSTRAINT_FOREIGNKEY, whose macro Swift can't import.
            return error.code == SQLITE_CONSTRAINT | 3 << 8
                && error.message == "FOREIGN KEY constraint failed"
                && error.operation.contains("INSERT INTO thing")
        }
    }

    @Test("A failed transaction leaves nothing, and the next one works")
    func rollback() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.write {
                try database.run("INSERT INTO parent (id) VALUES (1)")
                throw Stop()
            }
        }
        #expect(try database.first("SELECT count(*) FROM parent") { try $0.int(0) } == 0)
        try database.write { try database.run("INSERT INTO parent (id) VALUES (2)") }
        #expect(try database.first("SELECT id FROM parent") { try $0.int(0) } == 2)
    }

    @Test("A statement may be run again while its rows are being read")
    func nested() throws {
        try database.run("INSERT INTO parent (id) VALUES (1), (2)")
        func sum(_ depth: Int) throws -> Int {
            var total = 0
            try database.each("SELECT id FROM parent") { row in
                total += try row.int(0) + (depth > 0 ? try sum(depth - 1) : 0)
            }
            return total
        }
        #expect(try sum(2) == 3 + 2 * (3 + 2 * 3))
    }

    @Test("A timeout at another process's lock is reported")
    func busy() throws {
        let other = try Connection(path: database.path, .readWrite, patience: 50)
        _ = try database.write {
            #expect { () throws -> Void in
                try other.write { try other.run("INSERT INTO parent (id) VALUES (9)") }
            } throws: { ($0 as? DatabaseError)?.primaryCode == SQLITE_BUSY }
        }
        try other.write { try other.run("SELECT 1") }
    }

    @Test("No code in a file that another program prepared is run")
    func defenses() throws {
        #expect(throws: DatabaseError.self) {
            try database.run("SELECT load_extension('x')")
        }
        #expect(throws: DatabaseError.self) {
            try database.run("UPDATE sqlite_schema SET sql = 'x'")
        }
        #expect(throws: DatabaseError.self) { try database.run("SELECT \"no such column\"") }
    }
}
