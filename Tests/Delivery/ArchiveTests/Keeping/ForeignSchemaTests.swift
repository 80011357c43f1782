import CSQLite
import Testing

@testable import Archive

@Suite struct ForeignSchemaTests {
    /// A change of an archive's schema by someone else.
    struct Intrusion: CustomTestStringConvertible, Sendable {
        var name: String
        var script: StaticString
        /// The name that the error has to mention.
        var foreign: String
        var testDescription: String { name }
    }

    private static let intrusions = [
        Intrusion(
            name: "an endless view in place of a table",
            script: """
                PRAGMA legacy_alter_table = 1; ALTER TABLE document RENAME TO hidden;
                CREATE VIEW document AS WITH RECURSIVE more (n) AS (
                    SELECT 1 UNION ALL SELECT n + 1 FROM more)
                SELECT hidden.* FROM hidden, more;
                """, foreign: "hidden"),
        Intrusion(
            name: "another view in place of one of ours",
            script: """
                DROP VIEW searchable; CREATE VIEW searchable AS
                SELECT id, 'words' AS body, '' AS broken, '' AS about FROM leaf;
                """, foreign: "searchable"),
        Intrusion(
            name: "a trigger that deletes documents",
            script: """
                CREATE TRIGGER quiet AFTER INSERT ON audit BEGIN DELETE FROM document; END;
                """, foreign: "quiet"),
        Intrusion(
            name: "a trigger in place of one of ours",
            script: """
                DROP TRIGGER audit_kept;
                CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN SELECT 1; END;
                """, foreign: "audit_kept"),
        Intrusion(
            name: "a virtual table", script: "CREATE VIRTUAL TABLE extra USING fts5 (a);",
            foreign: "extra"),
        Intrusion(
            name: "an index whose values take up all memory",
            script: "CREATE INDEX heavy ON leaf (id) WHERE length(hex(zeroblob(id))) > 0;",
            foreign: "heavy"),
        Intrusion(
            name: "a computed column",
            script: "ALTER TABLE tag ADD COLUMN more TEXT AS (hex(zeroblob(position))) VIRTUAL;",
            foreign: "tag"),
        Intrusion(
            name: "a condition that no row meets",
            script: """
                PRAGMA writable_schema = 1;
                UPDATE sqlite_schema SET sql = replace(sql, 'title TEXT', 'title TEXT CHECK (0)')
                WHERE name = 'document';
                """, foreign: "document"),
    ]

    private func database(of folder: TestFolder) throws -> Connection {
        let database = try folder.database()
        csqlite_switch(database.handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
        return database
    }

    @Test(
        "An archive with something that Copystand did not make is refused, whatever it is opened for",
        arguments: intrusions)
    func refused(intrusion: Intrusion) throws {
        let folder = try TestFolder()
        try folder.open().add("A", "text")
        let count: SQLText = "SELECT count(*) FROM sqlite_schema"
        let made = try {
            let database = try database(of: folder)
            try database.script(intrusion.script)
            return try database.first(count) { try $0.int(0) }
        }()
        func isRefused(_ error: any Error) -> Bool {
            let error = error as? ArchiveError
            return error?.code == .notAnArchive
                && error?.message.contains("'\(intrusion.foreign)'") == true
        }
        for access in [Archive.Access.create, .readWrite, .readOnly] {
            #expect { try folder.open(access) } throws: { isRefused($0) }
        }
        let new = try TestFolder()
        #expect { try new.open().recover(from: folder.archive) } throws: { isRefused($0) }
        // It was left as it is.
        #expect(try database(of: folder).first(count) { try $0.int(0) } == made)
    }

    @Test("What SQLite's ANALYZE adds, and what is missing, is no reason to refuse an archive")
    func accepted() throws {
        let folder = try TestFolder()
        try folder.open().add("A", "text")
        try folder.database().script("ANALYZE; DROP INDEX document_created;")
        #expect(try folder.open(.readOnly).found("text") == ["A"])
    }

    @Test("The noted hash is that of a new archive's schema, so that opening one stays quick")
    func digest() throws {
        let folder = try TestFolder()
        _ = try folder.open()
        #expect(try SchemaGuard.digest(of: folder.database()) == ArchiveSchema.digest)
    }

    @Test("A version below 0 is an error, never a crash")
    func belowZero() throws {
        let folder = try TestFolder()
        _ = try folder.open()
        try folder.database().script("PRAGMA user_version = -7")
        for access in [Archive.Access.create, .readWrite, .readOnly] {
            #expect { try folder.open(access) } throws: {
                ($0 as? ArchiveError)?.code == .notAnArchive
            }
        }
    }

    @Test("A number of changes below 0 is an error or nothing, never a crash")
    func fewerThanNoChanges() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let document = try archive.add("A", "text")
        try folder.database().script("UPDATE document SET done = -9223372036854775808")
        _ = try archive.version(of: document)
        _ = try? archive.copy(into: TestFolder().open())
    }

    @Test("Recovering tries only so many numbers where the highest one is damaged")
    func endlessNumbers() throws {
        let folder = try TestFolder()
        try folder.open().add("A", "text")
        let database = try database(of: folder)
        try database.script(
            """
            ALTER TABLE document RENAME TO lost;
            UPDATE sqlite_sequence SET seq = 9223372036854775807, name = 'document'
                WHERE name IN ('document', 'lost');
            """)
        #expect(Archive.numbers(in: database).count == Archive.mostNumbers)
    }
}
