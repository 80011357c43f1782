import Documents
import FoundationEssentials
import Glibc
import PostgreSQL
import Synchronization
import Testing

@testable import Archive

/// Tests that only concern an archive on a server.
@Suite struct SharedArchiveTests {
    private let folder: TestFolder

    init() throws {
        folder = try ArchiveHome.$current.withValue(ArchiveHome(isShared: true)) {
            try TestFolder()
        }
    }

    private func database(_ place: String) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(
            PostgreSQLAddress(place), purpose: "tests", schema: "copystand")
    }

    private func noStore(_ settings: ImageSettings) throws(ArchiveError) -> any ImageStore {
        throw ArchiveError(.refused, "No store is made here.")
    }

    @Test("A database without an archive and a missing server have different errors, with advice")
    func missing() throws {
        let empty = try TestDatabases.make()
        let error = #expect(throws: ArchiveError.self) {
            try Archive(database: empty, .create, noStore)
        }
        #expect(error?.code == .missing && error?.message.contains("archive init") == true)
        let silent = #expect(throws: ArchiveError.self) {
            try Archive(database: "postgresql:///x?host=\(folder.path)", .readWrite, noStore)
        }
        #expect(silent?.code == .unreachable)
        let unknown = #expect(throws: ArchiveError.self) {
            try Archive(
                database: empty.replacing("/test", with: "/nothing"), .readWrite, noStore)
        }
        #expect(unknown?.code == .missing && unknown?.message.contains("createdb") == true)
    }

    @Test(
        "An address with a password is refused, and the password is not shown",
        arguments: [
            "postgresql://me:s3cret@host/db", "postgresql://host/db?password=s3cret",
            "postgresql://host/db?user=me&password=s3cret",
        ])
    func password(address: String) {
        let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLAddress(address) }
        #expect(error?.message.contains("~/.pgpass") == true)
        #expect(error?.message.contains("s3cret") == false)
    }

    @Test("An existing archive is not replaced by a new one")
    func second() throws {
        let archive = try folder.open()
        try archive.add("Kept", "kept")
        let error = #expect(throws: ArchiveError.self) {
            try Archive.make(at: archive.place, ImageSettings(place: folder.archive), noStore)
        }
        #expect(error?.code == .refused)
        #expect(try archive.found("kept") == ["Kept"])
    }

    // MARK: Hostile contents

    @Test("Numbers that are not finite, and counts that can't grow, keep nobody from a document")
    func wildNumbers() throws {
        let archive = try folder.open()
        let id = try archive.add("Kept", "kept")
        let database = try database(archive.place)
        for number in ["Infinity", "-Infinity", "NaN"] {
            try database.script(
                """
                UPDATE page SET resolution = '\(number)'; UPDATE document SET created = '\(number)';
                """)
            let document = try archive.document(id)
            #expect(document.pages[0].page.resolution == 0 && document.summary.created == 0)
        }
        try database.script(
            """
            UPDATE image SET bytes = 9223372036854775807;
            UPDATE moment SET count = 9223372036854775807;
            """)
        _ = try archive.stamp()
        #expect(try archive.space() != nil)
        try archive.add("Another", "another")
    }

    @Test(
        "A version that is no step's means that there is no archive", arguments: [0, -1, Int.min])
    func noVersion(number: Int) throws {
        let archive = try folder.open()
        try database(archive.place).script(
            """
            DELETE FROM version WHERE number > 1;
            UPDATE version SET number = \(number);
            """)
        let error = #expect(throws: ArchiveError.self) {
            try Archive(database: archive.place, .readWrite, noStore)
        }
        #expect(error?.code == .missing)
    }

    @Test("A damaged page is named in words for people")
    func damagedPage() throws {
        let archive = try folder.open()
        let id = try archive.add("Kept", "kept")
        try database(archive.place).script("UPDATE page SET provenance = '{}'")
        let error = #expect(throws: ArchiveError.self) { try archive.document(id) }
        #expect(error?.message.contains("'device' is missing") == true)
        try database(archive.place).script("UPDATE document SET done = 7")
        let other = #expect(throws: ArchiveError.self) { try archive.document(id) }
        #expect(other?.message.contains("7 of 0 changes") == true)
        #expect(other?.message.contains("ReviewError") == false)
    }

    @Test("Compacting removes only what the archive made, wherever the database says it is")
    func foreignFolder() throws {
        let archive = try folder.open()
        let other = archive.images.place
        let files = ["en/us/letter.txt", "ab/cd/photo.jpg", "ab/cd/.hidden"]
        for file in files {
            let place = URL(filePath: other + "/" + file)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("somebody's".utf8).write(to: place)
            #expect(utimes(place.path, [timeval(), timeval()]) == 0)
        }
        #expect(try archive.compact().removedFiles == 0)
        for file in files { #expect(access(other + "/" + file, F_OK) == 0, "\(file)") }
    }

    @Test("Receipts in a shared archive have names, and no folder of the machine that sent them")
    func receiptFolders() throws {
        let archive = try folder.open()
        let id = try archive.add("Kept", "kept")
        let receipt = KeptReceipt(
            sink: "/home/ada/private/may.pdf", place: "/home/ada/private/may.pdf", made: 1)
        for _ in 0..<2 { try archive.keep([receipt], of: id) }
        #expect(try archive.document(id).receipts.map(\.place) == ["may.pdf"])
        var folders = 0
        try database(archive.place).each(
            """
            SELECT count(*) FROM receipt, audit
            WHERE (receipt.sink || receipt.place || coalesce(audit.detail, '')) LIKE '%/home/%'
            """
        ) { folders = Int(try $0.integer(0)) }
        #expect(folders == 0)
    }

    @Test("A server that stops answering is lost after some time, and not waited for without end")
    func stoppedServer() throws {
        let archive = try folder.open()
        let silent = try PostgreSQLConnection(
            PostgreSQLAddress(archive.place), purpose: "tests", schema: "copystand", patience: 0.5)
        let error = #expect(throws: PostgreSQLError.self) {
            try silent.each("SELECT 1 FROM pg_sleep(30)")
        }
        #expect(error?.kind == .unreachable && !silent.isIdle)
    }

    // MARK: Versions

    /// The program's steps, as they are known here, and one more.
    private func steps(_ needs: Int?) -> SchemaSteps {
        let known = PostgreSQLSchema.steps.count
        return SchemaSteps(
            schema: "copystand",
            (0..<known).map { _ in SchemaStep(purpose: "known", script: "SELECT 1") } + [
                SchemaStep(
                    purpose: "another", script: "CREATE TABLE copystand.addition (id BIGINT)",
                    needs: needs)
            ])
    }

    @Test(
        "A newer schema is refused, unless its last step lets older programs continue",
        arguments: [nil, 1])
    func newer(needs: Int?) throws {
        let old = try folder.open()
        try old.add("Before", "before")
        let new = try Archive(database: old.place, .readWrite, steps: steps(needs), noStore)
        try new.add("After", "after")
        // A running host continues, and the new host sees its changes.
        try old.add("Old host", "continues")
        #expect(try new.found("continues") == ["Old host"])
        guard needs == nil else {
            #expect(try folder.open().documents().count == 3)
            return
        }
        let error = #expect(throws: ArchiveError.self) { try folder.open() }
        #expect(error?.code == .newerVersion)
        #expect(try new.documents().count == 3)
    }

    @Test("Of several programs that migrate an archive at the same time, one does it")
    func rolling() async throws {
        let place = try folder.open().place
        let steps = steps(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    _ = try Archive(database: place, .readWrite, steps: steps) {
                        (_) throws(ArchiveError) in throw ArchiveError(.refused, "")
                    }
                }
            }
            try await group.waitForAll()
        }
        var rows = 0
        try database(place).each("SELECT 1 FROM version") { _ in rows += 1 }
        #expect(rows == PostgreSQLSchema.steps.count + 1)
    }

    // MARK: Simultaneous hosts

    @Test("A job that two hosts deliver at the same time becomes one document")
    func sameJob() async throws {
        let archives = try (0..<4).map { _ in try folder.open() }
        let ids = try await withThrowingTaskGroup(of: DocumentID.self) { group in
            for archive in archives {
                group.addTask {
                    let addition = try archive.begin(
                        DocumentInfo(title: "Job", created: 5, job: "same"))
                    for number in 1...3 {
                        try addition.add(page("sheet \(number)", number: number))
                    }
                    return try addition.finish()
                }
            }
            return try await group.reduce(into: Set<DocumentID>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try archives[0].documents().count == 1)
        try expectSound(archives[0])
    }

    @Test("All changes that hosts make to one document at the same time are stored")
    func changes() async throws {
        let id = try folder.open().add("Shared", "one", "two")
        let other = try folder.open().add("Other", "three")
        let archives = try (0..<4).map { _ in try folder.open() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, archive) in archives.enumerated() {
                group.addTask {
                    for step in 0..<5 {
                        try archive.perform([.addTag("tag-\(number)-\(step)")], on: id)
                        try archive.perform([.addTag("tag-\(number)-\(step)")], on: other)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try archives[0].document(id).summary.tags.count == 20)
        #expect(try archives[0].document(other).undoable == 20)
        try expectSound(archives[0])
    }

    @Test("Pages of many months are found, the latest first, and by the time of the scan")
    func months() throws {
        let archive = try folder.open()
        // The dates are before 2000, in three months, and beyond any calendar.
        for (title, created) in [
            ("Old", -5e9), ("May", 1_715_000_000), ("June", 1_718_000_000), ("July", 1_721_000_000),
            ("Never", 1e15),
        ] { try archive.add(title, "common word", created: created) }
        let query = try SearchQuery("common")
        let found = try archive.search(query, limit: 9, offset: 0, ranking: 2)
        #expect(found.order == .newest && found.isTotalOpen)
        #expect(found.hits.map(\.title) == ["Never", "July", "June", "May", "Old"])
        for (offset, titles) in [(1, ["July", "June"]), (4, ["Old"]), (5, [])] {
            let part = try archive.search(query, limit: 2, offset: offset, ranking: 2)
            #expect(part.hits.map(\.title) == titles)
        }
        let since = try archive.search(
            SearchQuery("common since:2024-06"), limit: 2, offset: 1, ranking: 2)
        #expect(since.order == .newest && since.hits.map(\.title) == ["July", "June"])
        #expect(try archive.found("common since:2024-06 before:2024-07") == ["June"])
        #expect(try archive.found("common before:1990") == ["Old"])
        var partitions = 0
        try database(archive.place).each("SELECT 1 FROM room") { _ in partitions += 1 }
        #expect(partitions == 5)
        try expectSound(archive)
    }

    @Test("A text with U+0000, a word of 5,000 letters and a page of 40,000 words are stored")
    func extremes() throws {
        let archive = try folder.open()
        let long = String(repeating: "x", count: 5_000)
        let words = (0..<40_000).map { "word\($0)" }.joined(separator: " ")
        let id = try archive.add("Nothing\0there", "\(long) end", words + " last words")
        #expect(try archive.document(id).review.title == "Nothing\0there")
        #expect(try archive.found("end").count == 1)
        #expect(try archive.found("word39999").count == 1)
        #expect(try archive.found("\"word1 word2\"").count == 1)
    }

    // MARK: Images

    @Test("Unused images are removed after a day, and images that are being added stay")
    func sweep() throws {
        let archive = try folder.open()
        let gone = try archive.add("Gone", "gone")
        try archive.add("Kept", "kept")
        try archive.trash(gone)
        _ = try archive.emptyTrash()
        let addition = try archive.begin(DocumentInfo(title: "New", created: 0))
        try addition.add(page("new"))
        #expect(try archive.compact().removedFiles == 0)
        try database(archive.place).script("UPDATE image SET touched = now() - interval '2 days'")
        // Only images that have a page or were used since then stay.
        try addition.add(page("newer", number: 2))
        #expect(try archive.compact().removedFiles == 4)
        let error = #expect(throws: ArchiveError.self) { try addition.finish() }
        #expect(error?.code == .changedMeanwhile)
        #expect(try archive.found("kept") == ["Kept"])
        try expectSound(archive)
    }

    @Test("A picture that is removed and added again exists")
    func again() throws {
        let archive = try folder.open()
        try archive.trash(archive.add("First", "same"))
        _ = try archive.emptyTrash()
        try database(archive.place).script("UPDATE image SET touched = now() - interval '2 days'")
        #expect(try archive.compact().removedFiles == 2)
        let id = try archive.add("Second", "same")
        let image = try archive.document(id).pages[0].image
        #expect(try archive.image(image) == Array("image of same".utf8))
    }

    // MARK: Copies

    private func filled(_ archive: Archive) throws -> [DocumentID] {
        let first = try archive.add("First", "alpha one", "alpha two", created: 1_700_000_000)
        let second = try archive.add("Second", "beta", created: 5)
        let pages = try archive.document(first).review.pages
        try archive.perform([.setType(.invoice), .addTag("tax")], on: first)
        try archive.perform([.rotate(pages: [pages[0].id], by: .half)], on: first)
        try archive.undo(first)
        let third = try archive.split(first, after: pages[0].id)
        let addition = try archive.begin(DocumentInfo(title: "Job", created: 9, job: "job-1"))
        try addition.add(page("gamma"))
        let fourth = try addition.finish()
        try archive.keep([KeptReceipt(sink: "s", place: "p", made: 7)], of: "job-1")
        try archive.trash(second)
        return [first, second, third, fourth]
    }

    private func expectSame(_ one: Archive, _ other: Archive, _ ids: [DocumentID]) throws {
        for id in ids {
            let (left, right) = (try one.document(id), try other.document(id))
            #expect(left.summary == right.summary && left.review == right.review)
            #expect(left.version == right.version && left.receipts == right.receipts)
            #expect(left.redoable == right.redoable)
            #expect(left.pages.map(\.image) == right.pages.map(\.image))
            #expect(left.pages.map(\.page.text) == right.pages.map(\.page.text))
            for page in left.pages {
                #expect(try one.image(page.image) == other.image(page.image))
            }
        }
        for words in ["alpha", "beta", "gamma", "type:invoice", "tag:tax"] {
            #expect(try Set(one.found(words)) == Set(other.found(words)), "\(words)")
        }
        try expectSound(one)
        try expectSound(other)
    }

    @Test(
        "An archive is copied into a database and back with all histories, and both are usable")
    func copies() throws {
        let own = try TestFolder()
        let source = try own.open()
        let ids = try filled(source)
        let shared = try folder.open()
        let report = try source.copy(into: shared)
        #expect(report.documents == 4 && report.known == 0 && report.images > 0)
        try expectSame(source, shared, ids)
        // Histories continue, and new documents get new numbers.
        try shared.undo(ids[0])
        let new = try shared.add("New", "delta")
        #expect(!ids.contains(new))
        let back = try Archive(folder: own.path + "/back", .create)
        #expect(try shared.copy(into: back).documents == 5)
        try expectSame(shared, back, try shared.documents().map(\.id))
    }

    @Test("An interrupted copy continues, and includes the changes since then")
    func resumed() throws {
        let source = try TestFolder().open()
        let ids = try filled(source)
        let shared = try folder.open()
        _ = try source.copy(into: shared)
        try source.perform([.setTitle("Changed")], on: ids[0])
        let again = try source.copy(into: shared)
        #expect(again.documents == 1 && again.known == 3)
        try expectSame(source, shared, ids)
        let stranger = try shared.add("Stranger", "stranger")
        let error = #expect(throws: ArchiveError.self) { try source.copy(into: shared) }
        #expect(error?.code == .refused && error?.message.contains("\(stranger)") == true)
    }

    @Test("A damaged picture ends a copy, and the documents copied before are complete")
    func damaged() throws {
        let own = try TestFolder()
        let source = try own.open()
        try source.add("Sound", "sound")
        let id = try source.add("Damaged", "damaged")
        let path = source.imageFolder.path(of: try source.document(id).pages[0].image)
        try Data("something else".utf8).write(to: URL(filePath: path))
        let shared = try folder.open()
        let error = #expect(throws: ArchiveError.self) { try source.copy(into: shared) }
        #expect(error?.code == .damaged)
        #expect(try shared.documents().map(\.title) == ["Sound"])
        try expectSound(shared)
    }
}
