import CSQLite
import Documents
import PostgreSQL
import Testing

@testable import Archive

/// Tests the history: who did what with which document.
@Suite(.everyHome) struct HistoryTests {
    private let office: SharedOffice

    init() throws { office = try SharedOffice() }

    /// The entries as lines, the oldest first.
    private func told(_ document: DocumentID? = nil) throws -> [String] {
        try office.all.history(of: document).reversed().map { entry in
            let what = entry.sink ?? entry.changes.joined(separator: "+")
            return "\(entry.name ?? "-")@\(entry.station) \(entry.action.rawValue)"
                + (what.isEmpty ? "" : " " + what) + ": " + entry.title
        }
    }

    @Test("Each act is told once, with who did it where, and stays after the deletion")
    func acts() throws {
        let (ada, id) = (office.ada, office.adas)
        try ada.perform([.setTitle("Rent"), .addTag("home"), .addTag("2026")], on: id)
        try ada.undo(id)
        try ada.redo(id)
        // A selection changes nothing that others see.
        try ada.perform([.select(pages: [])], on: id)
        let receipts = [
            KeptReceipt(sink: "cloud", place: "a/1.jpg", made: 7),
            KeptReceipt(sink: "cloud", place: "a/2.jpg", made: 7),
        ]
        try ada.keep(receipts, of: id)
        // A repeated call says nothing new.
        try ada.keep(receipts, of: id)
        try ada.trash(id)
        try ada.trash(id)
        try office.all.restore(id)
        try ada.trash(id)
        try ada.delete(id)
        #expect(
            try told(id) == [
                "ada@hall scanned: Adas lease", "ada@hall changed title+tags: Rent",
                "ada@hall changed undo: Adas lease", "ada@hall changed redo: Rent",
                "ada@hall sent cloud: Rent",
                "ada@hall trashed: Rent", "root@desk restored: Rent", "ada@hall trashed: Rent",
                "ada@hall deleted: Rent",
            ])
        let gone = #expect(throws: ArchiveError.self) { try ada.history(of: id) }
        #expect(gone?.code == .noSuchDocument)
    }

    @Test("Splits, merges and imports are told for both documents")
    func pairs() throws {
        let addition = try office.all.begin(
            DocumentInfo(title: "File", created: 0, user: office.all.user, isImported: true))
        for number in 1...2 { try addition.add(page("sheet \(number)", number: number)) }
        let file = try addition.finish()
        let made = try office.all.split(file, after: office.all.document(file).pages[0].id)
        try office.all.merge(file, with: made)
        #expect(
            try told(file) == [
                "root@desk imported: File", "root@desk changed split: File",
                "root@desk changed merge: File",
            ])
        #expect(
            try told(made) == ["root@desk changed split: File", "root@desk trashed: File"])
        try office.all.undo(file)
        #expect(try told(made).last == "root@desk restored: File")
    }

    @Test("A refused change is not told, and a page of the history begins where it is asked to")
    func pages() throws {
        #expect(throws: ArchiveError.self) {
            try office.all.perform([.setTitle("A"), .removeTag("no such")], on: office.adas)
        }
        let all = try office.all.history()
        #expect(all.map(\.document) == [office.everyones, office.bobs, office.adas])
        #expect(all.map(\.id) == all.map(\.id).sorted(by: >))
        #expect(try office.all.history(limit: 2) == Array(all.prefix(2)))
        #expect(try office.all.history(before: all[1].id, limit: 2) == Array(all.suffix(1)))
        #expect(try office.all.history(before: all[2].id) == [])
        let alone = #expect(throws: ArchiveError.self) { try office.ada.history() }
        #expect(alone?.code == .refused)
        #expect(try office.ada.history(of: office.everyones).map(\.name) == ["root"])
        let missing = #expect(throws: ArchiveError.self) {
            try office.all.history(of: DocumentID(rawValue: 4711))
        }
        #expect(missing?.code == .noSuchDocument)
    }

    @Test("The time is that of the database, in seconds since 1970")
    func time() throws {
        let made = try #require(try office.all.history().first).made
        #expect(abs(made - secondsNow()) < 600)
    }

    @Test("No entry can be changed or removed", arguments: [0, 1])
    func kept(_ number: Int) throws {
        let statements: [SQLText] = ["DELETE FROM audit", "UPDATE audit SET name = 'nobody'"]
        let before = try office.all.history()
        #expect(throws: ArchiveError.self) {
            try office.all.access { database in
                try database.write { try database.run(statements[number]) }
            }
        }
        #expect(try office.all.history() == before)
    }
}

/// Tests what only one kind of archive does with owners and the history.
@Suite struct OwnerUpkeepTests {
    @Test("Owners and the history are recovered from a damaged archive")
    func recovered() throws {
        let office = try SharedOffice()
        try office.bob.perform([.setNote("mine")], on: office.bobs)
        let target = try TestFolder()
        let archive = try target.open()
        _ = try archive.recover(from: office.folder.archive)
        let bobs = try #require(try archive.documents().first { $0.title == "Bobs secret" })
        #expect(bobs.owner == "bob")
        let told = try archive.history(of: bobs.id).map { [$0.name, $0.action.rawValue] }
        #expect(told.contains(["bob", "scanned"]) && told.contains(["bob", "changed"]))
    }

    @Test("Documents of an older shared archive are everyone's when it is brought up to date")
    func migrated() throws {
        let folder = try ArchiveHome.$current.withValue(ArchiveHome(isShared: true)) {
            try TestFolder()
        }
        let archive = try folder.open()
        let old = try archive.add("Old", "old words")
        let database = try PostgreSQLConnection(
            PostgreSQLAddress(archive.place), purpose: "tests", schema: "copystand")
        try database.script(
            """
            DROP TABLE audit; DROP FUNCTION keep_audit;
            ALTER TABLE document DROP COLUMN owner; ALTER TABLE left_job DROP COLUMN owner;
            DELETE FROM version WHERE number = 4;
            """)
        let today = try folder.open()
        let ada = today.used(by: SharedOffice.user("ada"))
        #expect(try ada.summary(old).owner == nil && today.history(of: old) == [])
        try ada.trash(old)
        #expect(try today.history(of: old).map(\.name) == ["ada"])
    }
}
