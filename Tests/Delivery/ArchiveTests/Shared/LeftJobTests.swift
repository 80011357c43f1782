import Documents
import PostgreSQL
import Testing
import WorkQueue

@testable import Archive

/// Captured jobs that stations leave to workers in a shared archive.
@Suite struct LeftJobTests {
    private let folder: TestFolder
    private let archive: Archive
    private let queue: WorkQueue

    init() throws {
        let folder = try ArchiveHome.$current.withValue(ArchiveHome(isShared: true)) {
            try TestFolder()
        }
        self.folder = folder
        archive = try folder.open()
        queue = try WorkQueue(PostgreSQLAddress(archive.place), backoff: .init(first: 0, most: 0))
    }

    private func leave(_ name: String, pages: Int, station: String = "hall") throws -> Int {
        let leaving = try archive.beginLeaving(name, of: nil)
        for page in 1...pages {
            try leaving.add(
                note: "page \(page)", picture: .init(bytes: [1, UInt8(page)], media: "image/png"),
                original: page == 1 ? .init(bytes: [2], media: "image/jpeg") : nil)
        }
        return try leaving.finish(order: "order", station: station, urgency: .interactive)
    }

    private func claim(_ worker: String = "w") throws -> ClaimedJob {
        try #require(try queue.claim(1, of: LeftJob.kind, for: worker).first)
    }

    /// Adds a document as a worker does.
    private func add(_ job: String, pages: Int, _ claim: LeftJobClaim) throws -> DocumentID {
        let addition = try archive.begin(
            DocumentInfo(title: job, created: 1_700_000_000, job: job), for: claim)
        for number in 1...pages { try addition.add(page("text \(number)", number: number)) }
        return try addition.finish()
    }

    private func makeOld() throws {
        try PostgreSQLConnection(
            PostgreSQLAddress(archive.place), purpose: "tests", schema: "copystand"
        ).script("UPDATE image SET touched = touched - interval '3 days'")
    }

    @Test("A left job is in the queue with its pages in order, and its files can be read")
    func leaving() throws {
        #expect(try leave("a", pages: 3) == 0)
        #expect(try leave("b", pages: 2) == 3)
        let job = try #require(try archive.leftJob("a"))
        #expect(job.order == "order" && job.pages.map(\.note) == ["page 1", "page 2", "page 3"])
        #expect(try archive.leftFile(job.pages[1].picture) == [1, 2])
        let original = try #require(job.pages[0].original)
        #expect(try archive.leftFile(original) == [2])
        #expect(job.pages[1].original == nil)
        #expect(try archive.leftJob("c") == nil)
        let claimed = try claim()
        #expect(claimed.key == "a" && claimed.station == "hall" && claimed.size == 3)
        #expect(try queue.status().waitingSize == 2)
    }

    @Test("While pages wait, compacting and checks count them as used, and afterward no longer")
    func sparing() throws {
        _ = try leave("a", pages: 2)
        try makeOld()
        #expect(try archive.compact().removedFiles == 0)
        let report = try archive.check()
        #expect(report.problems.isEmpty && report.strayFiles == 0 && report.images == 3)
        let claimed = try claim()
        let id = try add("a", pages: 1, LeftJobClaim(claimed, isLastDocument: true))
        #expect(try archive.leftJob("a") == nil && queue.status() == QueueStatus())
        try makeOld()
        #expect(try archive.compact().removedFiles == 3)
        #expect(try archive.summary(id).pages == 1)
        try expectSound(archive)
    }

    @Test("A worker that stalled and wakes up adds nothing, before and after another has the job")
    func fencing() throws {
        _ = try leave("a", pages: 2)
        let stalled = try claim("stalled")
        try queue.database.script("UPDATE job SET beat = beat - interval '2 minutes'")
        #expect(try queue.maintain()?.freed == 1)
        func refused(isLast: Bool) throws {
            let error = #expect(throws: ArchiveError.self) {
                try add("a", pages: 3, LeftJobClaim(stalled, isLastDocument: isLast))
            }
            #expect(error?.code == .changedMeanwhile)
            #expect(throws: ArchiveError.self) { try archive.complete(stalled) }
        }
        try refused(isLast: true)
        let other = try claim("other")
        try refused(isLast: true)
        try refused(isLast: false)
        #expect(try archive.documents(DocumentFilter()).isEmpty && archive.leftJob("a") != nil)
        let id = try add("a", pages: 2, LeftJobClaim(other, isLastDocument: true))
        try refused(isLast: true)
        #expect(try archive.documents(DocumentFilter()).map(\.id) == [id])
        #expect(try archive.leftJob("a") == nil)
    }

    @Test("A job of several documents ends when it is said to be complete")
    func batch() throws {
        _ = try leave("a", pages: 2)
        let claimed = try claim()
        let added = try (1...11).map {
            try add("a/\($0)", pages: 1, LeftJobClaim(claimed, isLastDocument: false))
        }
        #expect(try archive.leftJob("a") != nil && queue.status().running == 1)
        try archive.complete(claimed)
        #expect(try archive.leftJob("a") == nil && queue.status() == QueueStatus())
        #expect(try archive.documents(DocumentFilter()).count == 11)
        #expect(try archive.documents(of: "a") == added)
        #expect(try archive.documents(of: "b").isEmpty)
    }

    @Test("A job that is left again with more pages replaces the one that a worker has")
    func again() throws {
        _ = try leave("a", pages: 1)
        let early = try claim()
        _ = try leave("a", pages: 3)
        #expect(throws: ArchiveError.self) {
            try add("a", pages: 1, LeftJobClaim(early, isLastDocument: true))
        }
        #expect(try archive.leftJob("a")?.pages.count == 3)
        let later = try claim()
        _ = try add("a", pages: 3, LeftJobClaim(later, isLastDocument: true))
        // A station that did not learn that the job is done leaves it again: nothing is added.
        _ = try leave("a", pages: 3)
        _ = try add("a", pages: 3, LeftJobClaim(try claim(), isLastDocument: true))
        #expect(try archive.documents(DocumentFilter()).map(\.pages) == [3])
    }

    @Test("A job that can't be left completely is not left at all, and a discarded one is gone")
    func nothing() throws {
        let empty = try archive.beginLeaving("a", of: nil)
        #expect(throws: ArchiveError.self) {
            try empty.finish(order: "", station: "hall", urgency: .bulk)
        }
        let given = try archive.beginLeaving("b", of: nil)
        try given.add(note: "", picture: .init(bytes: [1], media: "image/png"))
        given.cancel()
        #expect(throws: ArchiveError.self) {
            try given.finish(order: "", station: "hall", urgency: .bulk)
        }
        #expect(try queue.status() == QueueStatus())
        _ = try leave("c", pages: 1)
        #expect(try archive.discardLeftJob("c"))
        #expect(try !archive.discardLeftJob("c"))
        #expect(try queue.status() == QueueStatus() && archive.leftJob("c") == nil)
    }

    @Test("An archive of one machine has no workers, and says what to do")
    func local() throws {
        let own = try Archive(folder: folder.path + "/own", .create)
        let error = #expect(throws: ArchiveError.self) { try own.beginLeaving("a", of: nil) }
        #expect(error?.code == .refused && error?.message.contains("archive init") == true)
        #expect(try own.leftJob("a") == nil && own.space() == nil)
    }

    @Test("The space of an archive is that of its database and its images")
    func space() throws {
        _ = try leave("a", pages: 3)
        let space = try #require(try archive.space())
        #expect(space.database > 1_000_000 && space.images == 2 * 3 + 1)
    }
}
