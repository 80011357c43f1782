import CSQLite
import Dispatch
import Documents
import Synchronization
import Testing

@testable import Archive

@Suite struct MigrationTests {
    /// An archive in the state of an earlier version, with a document of two pages.
    private func archive(at version: Int, in folder: TestFolder) throws {
        try makeFolder(folder.archive)
        let database = try Connection(
            path: folder.archive + "/archive.sqlite", .create, patience: 1_000)
        try database.run("PRAGMA journal_mode = WAL")
        try Migrator(Array(ArchiveSchema.steps.prefix(version))).migrate(database)
        guard version > 0 else { return }
        try database.run(
            "INSERT INTO image (hash, bytes, media) VALUES (?, 3, 'image/jpeg')",
            [.blob(ImageHash(of: [1, 2, 3]).bytes)])
        try database.run(
            """
            INSERT INTO document (id, title, type, note, created, added, changed, pages)
            VALUES (4, 'Old invoice', 'invoice', '', 5, 6, 7, 2)
            """)
        for number in 1...2 {
            try database.run(
                """
                INSERT INTO page (id, image, width, height, resolution, text, provenance, problems)
                VALUES (?, ?, 600, 800, 100, ?, '{"device":"d","steps":[]}', '[]')
                """,
                [
                    .integer(number), .blob(ImageHash(of: [1, 2, 3]).bytes),
                    .blob(PageTextCoding.encode(pageText("words of page\(number)"))),
                ])
            try database.run(
                "INSERT INTO leaf (document, position, page) VALUES (4, ?, ?)",
                [.integer(number - 1), .integer(number)])
        }
        try database.run("INSERT INTO tag (document, position, name) VALUES (4, 0, 'old')")
        if version >= 2 {
            try database.run(
                "UPDATE leaf SET body = 'words of page' || page, about = iif(position = 0, 'Old invoice', '')"
            )
            try database.run("UPDATE leaf SET indexed = 1")
            try database.run(
                "INSERT INTO search (rowid, body, broken, about) SELECT id, body, broken, about FROM leaf"
            )
        }
        if version >= 3 {
            var original = Review(
                title: "Old invoice", type: .invoice,
                pages: [1, 2].map {
                    ReviewedPage(id: PageID(rawValue: $0), width: 600, height: 800)
                })
            original.tags = ["old"]
            try HistoryTable(database).begin(database.see(4), original)
        }
        let store = ImageFolder(folder: folder.archive + "/images")
        try makeFolder(store.folder)
        _ = try store.add([1, 2, 3])
    }

    @Test(
        "Archives of all earlier versions are migrated with their contents",
        arguments: 1...ArchiveSchema.steps.count)
    func upgrade(version: Int) throws {
        let folder = try TestFolder()
        try archive(at: version, in: folder)
        let archive = try folder.open(.readWrite)
        let id = DocumentID(rawValue: 4)
        let document = try archive.document(id)
        #expect(document.summary.title == "Old invoice" && document.summary.type == .invoice)
        #expect(
            document.pages.map { $0.page.text?.plainText } == ["words of page1", "words of page2"])
        #expect(try archive.search("page2").hits.map(\.page) == [2])
        #expect(try archive.found("invoice") == ["Old invoice"])
        #expect(try document.summary.owner == nil && archive.history(of: id) == [])
        try archive.perform([.addTag("new")], on: id)
        #expect(try archive.history(of: id).map(\.changes) == [["tags"]])
        #expect(try archive.summary(id).tags == ["old", "new"])
        try archive.perform([.move(page: document.pages[1].id, to: 0)], on: id)
        try archive.undo(id)
        #expect(try archive.document(id).review.pages.map(\.id.rawValue) == [1, 2])
        try expectSound(archive)
    }

    @Test("Texts of an earlier version are joined and indexed by the present rules")
    func reindexed() throws {
        let folder = try TestFolder()
        try archive(at: 5, in: folder)
        let database = try folder.database()
        try database.run(
            "UPDATE page SET text = ? WHERE id = 1",
            [.blob(PageTextCoding.encode(pageText("die Größe von 東 京 und depart-\nment")))])
        let archive = try folder.open(.readWrite)
        for query in ["groesse", "grosse", "東京", "department"] {
            #expect(try archive.search(query).hits.map(\.page) == [1], "\(query)")
        }
        #expect(try archive.search("page2").hits.map(\.page) == [2])
        try expectSound(archive)
    }

    @Test("An archive that two processes migrate at the same time is migrated once")
    func twice() async throws {
        let folder = try TestFolder()
        try archive(at: 1, in: folder)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { try folder.open().documents().count }
            }
            for try await count in group { #expect(count == 1) }
        }
    }

    @Test("A failed step leaves the earlier version")
    func failure() throws {
        let folder = try TestFolder()
        try archive(at: 1, in: folder)
        let broken = Migrator(
            Array(ArchiveSchema.steps.prefix(1)) + [
                Migration(purpose: "half", script: "CREATE TABLE half (a); CREATE TABLE half (a);")
            ])
        #expect(throws: ArchiveError.self) {
            try Archive(folder: folder.archive, .readWrite, migrator: broken)
        }
        let database = try folder.database()
        #expect(try database.first("PRAGMA user_version") { try $0.int(0) } == 1)
        #expect(
            try database.first("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") {
                try $0.int(0)
            } == 0)
    }

    @Test("An archive of a newer version is left unchanged and reported as such")
    func newer() throws {
        let folder = try TestFolder()
        try folder.open().add("A", "text")
        let database = try folder.database()
        try database.script("PRAGMA user_version = 99")
        for access in [Archive.Access.create, .readWrite, .readOnly] {
            #expect {
                try folder.open(access)
            } throws: {
                let error = $0 as? ArchiveError
                return error?.code == .newerVersion && error?.message.contains("99") == true
            }
        }
        #expect(try database.first("PRAGMA user_version") { try $0.int(0) } == 99)
    }

    @Test("A database of another program is left unchanged")
    func foreign() throws {
        let folder = try TestFolder()
        try makeFolder(folder.archive)
        let database = try Connection(
            path: folder.archive + "/archive.sqlite", .create, patience: 1_000)
        try database.script("CREATE TABLE theirs (a)")
        #expect { try folder.open() } throws: { ($0 as? ArchiveError)?.code == .notAnArchive }
        #expect(
            try database.first("SELECT count(*) FROM sqlite_schema") { try $0.int(0) } == 1)
    }

    @Test("An archive can be opened while others create it")
    func madeAtOnce() throws {
        for _ in 0..<15 {
            let folder = try TestFolder()
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 6) { _ in
                do {
                    // The time limit is far longer than a busy machine needs for all of them.
                    _ = try Archive(folder: folder.archive, .create, patience: 300_000).check()
                } catch { failures.withLock { $0.append("\(error)") } }
            }
            #expect(failures.withLock { $0 } == [])
        }
    }
}
