import Documents
import Testing

@testable import Archive

/// Tests the archive's record of the jobs of its documents, and of their other deliveries.
@Suite struct JobDeliveryTests {
    private func add(_ archive: Archive, job: String?, pages: Int) throws -> DocumentID {
        let addition = try archive.begin(DocumentInfo(title: "Job", created: 5, job: job))
        for number in 1...pages {
            try addition.add(
                NewPage(
                    page: Page(
                        number: number, width: 600, height: 800, resolution: 100,
                        text: pageText("sheet\(number)"), provenance: Provenance(device: "d")),
                    image: [1, 2, UInt8(number)], media: "image/jpeg"))
        }
        return try addition.finish()
    }

    @Test("A job that is delivered again adds nothing, and gets its earlier number", .everyHome)
    func again() throws {
        let folder = try TestFolder()
        let first = try add(folder.open(), job: "a", pages: 3)
        // Another process delivers after a crash.
        #expect(try add(folder.open(), job: "a", pages: 3) == first)
        #expect(try folder.open().documents().map(\.id) == [first])
        try expectSound(folder.open())
    }

    @Test("Documents of different jobs, and of no job, are different documents", .everyHome)
    func others() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let ids = try ["a", "b", nil, nil].map { try add(archive, job: $0, pages: 1) }
        #expect(Set(ids).count == 4)
    }

    @Test("If a job has captured more pages, the shorter document goes to the trash", .everyHome)
    func more() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let short = try add(archive, job: "a", pages: 2)
        let long = try add(archive, job: "a", pages: 3)
        #expect(try archive.documents().map(\.id) == [long])
        #expect(try archive.summary(short).trashed != nil)
        #expect(try archive.search("sheet2").hits.map(\.document) == [long])
        try expectSound(archive)
    }

    @Test("A permanently deleted document can be delivered again", .everyHome)
    func deleted() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        try archive.trash(add(archive, job: "a", pages: 2))
        _ = try archive.emptyTrash()
        let id = try add(archive, job: "a", pages: 2)
        #expect(try archive.documents().map(\.id) == [id])
    }

    @Test(
        "Receipts are stored with the job's document, one for each place, with the newest state",
        .everyHome)
    func receipts() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let id = try add(archive, job: "a", pages: 1)
        let file = KeptReceipt(sink: "/a.pdf", place: "/a.pdf", made: 7, hash: "ab")
        let office = KeptReceipt(sink: "office", place: "http://o/3", made: 8, remoteID: "3")
        #expect(try archive.keep([file, office], of: "a"))
        var later = office
        (later.made, later.remoteID) = (9, "4")
        #expect(
            try archive.keep(
                [later], fields: [Field(name: "serial", value: "X1", source: "office")], of: "a"))
        let document = try archive.document(id)
        #expect(document.receipts == [file, later])
        #expect(document.review.fields == [Field(name: "serial", value: "X1", source: "office")])
        #expect(try archive.search("X1").hits.map(\.document) == [id])
        #expect(try !archive.keep([file], of: "nobody"))
        try expectSound(archive)
    }

    @Test("Receipts and the job are part of a recovered archive")
    func recovered() throws {
        let folder = try TestFolder()
        let other = try TestFolder()
        let archive = try folder.open()
        _ = try add(archive, job: "a", pages: 2)
        let kept = KeptReceipt(sink: "s", place: "p", made: 7)
        try archive.keep([kept], of: "a")
        let new = try other.open()
        #expect(try new.recover(from: folder.archive).lost.isEmpty)
        let id = try #require(try new.documents().first?.id)
        #expect(try new.document(id).receipts == [kept])
        #expect(try add(new, job: "a", pages: 2) == id)
    }
}
