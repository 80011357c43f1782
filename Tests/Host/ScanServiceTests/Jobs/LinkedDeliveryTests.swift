import CaptureHost
import CaptureKit
import Delivery
import FoundationEssentials
import Glibc
import Testing

@testable import ScanService

/// Tests documents that are the spool's own files.
@Suite struct LinkedDeliveryTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private func path(_ name: String) -> String { bench.folder + "/" + name }

    private func inode(_ path: String) throws -> ino_t {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_ino
    }

    private func run(_ order: ScanOrder, _ events: Events = Events()) async throws -> ScanOutcome {
        try await bench.service.run(order, control: ScanControl()) { events.take($0) }
    }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: bench.folder))
    }

    @Test(
        "One unchanged page is delivered by a second name for its file, and the job is deleted"
    )
    func linked() async throws {
        let spool = bench.folder + "/spool"
        let captured = Events { event in
            guard case .captured = event else { return }
            let job = (try? FileManager.default.contentsOfDirectory(atPath: spool))?.first ?? ""
            link(spool + "/" + job + "/page-0001.raw", spool + "-witness")
        }
        // A second name for the page's file makes the page be copied.
        _ = try await run(bench.order("copied.tiff", settings: ["pages": "1"]), captured)
        #expect(try inode(path("copied.tiff")) != inode(spool + "-witness"))
        unlink(spool + "-witness")
        let outcome = try await run(bench.order("linked.tiff", settings: ["pages": "1"]))
        #expect(outcome.receipts.map(\.locations) == [[path("linked.tiff")]])
        // The bytes are the same either way, except for the header.
        let (linked, copied) = try (
            Data(contentsOf: URL(filePath: path("linked.tiff"))),
            Data(contentsOf: URL(filePath: path("copied.tiff")))
        )
        let pixels = linked.dropFirst(SpooledPicture.room)
        #expect(pixels.count > 100_000)
        let isSame = copied.dropFirst(8).prefix(pixels.count).elementsEqual(pixels)
        #expect(isSame)
        #expect(bench.store.jobs().isEmpty)
    }

    /// A job of one page for `out.tiff`, which stays open because the feeder jams.
    private func jammed() async throws -> StoredJob {
        let order = bench.order("out.tiff", settings: ["fault": "jam", "fault-page": "2"])
        let outcome = try await run(order)
        return try bench.store.job(try #require(outcome.continuation).job)
    }

    @Test("A job that stays has its own copy of its page")
    func separate() async throws {
        let job = try await jammed()
        let page = job.folder + "/page-0001.raw"
        #expect(try inode(path("out.tiff")) != inode(page))
        truncate(path("out.tiff"), 0)
        #expect(try SpoolFolder(path: job.folder).pages().count == 1)
    }

    /// Brings a job into the state after a kill right after the link.
    private func killedAfterLink(_ job: StoredJob) throws {
        unlink(path("out.tiff"))
        try #require(link(job.folder + "/page-0001.raw", path("out.tiff")) == 0)
        var record = try JobRecord.read(from: job.folder)
        record.deliveries = nil
        record.places = nil
        record.deliveredPages = nil
        record.interruption = nil
        try record.write(to: job.folder)
    }

    @Test("A host that was killed after the link delivers the document once")
    func resumed() async throws {
        let job = try await jammed()
        try killedAfterLink(job)
        let before = try Data(contentsOf: URL(filePath: path("out.tiff")))
        let outcome = try await bench.service.resume(job, outputs: [], control: ScanControl()) {
            _ in
        }
        #expect(outcome.receipts.map(\.locations) == [[path("out.tiff")]])
        // A jam had ended the capture, so the stack stays open.
        #expect(bench.store.jobs().map(\.undeliveredPages) == [0])
        #expect(try names() == ["out.tiff", "spool", "panel"])
        let after = try Data(contentsOf: URL(filePath: path("out.tiff")))
        let isSame =
            after.dropFirst(8).prefix(1000) == before.dropFirst(SpooledPicture.room).prefix(1000)
            || after.dropFirst(SpooledPicture.room) == before.dropFirst(SpooledPicture.room)
        #expect(isSame)
    }

    @Test("A document that was edited after such a kill is left unchanged, and the job says so")
    func edited() async throws {
        let job = try await jammed()
        try killedAfterLink(job)
        let file = open(path("out.tiff"), O_WRONLY | O_CLOEXEC)
        #expect(pwrite(file, "edited", 6, 5000) == 6)
        close(file)
        let edited = try Data(contentsOf: URL(filePath: path("out.tiff")))
        let error = await #expect(throws: HostError.self) {
            try await bench.service.resume(job, outputs: [], control: ScanControl()) { _ in }
        }
        #expect(error?.message.contains("has been changed there since") == true)
        let now = try Data(contentsOf: URL(filePath: path("out.tiff")))
        #expect(now == edited)
        #expect(try names() == ["out.tiff", "spool", "panel"])
        // A person who confirms that the page may be lost can discard the job.
        let kept = #expect(throws: JobError.self) { try bench.store.job(job.id).discard() }
        #expect(kept?.code == .undelivered)
        try bench.store.job(job.id).discard(force: true)
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("If the job's record can't be written, nothing is captured, and the error says why")
    func unrecorded() async throws {
        let record = JobRecord(bench.order("out.tiff"), [], isRereadable: false, at: Date())
        let ledger = JobLedger(record, in: bench.folder + "/missing")
        let beginning = JobBeginning(ledger)
        let device = try await bench.host.find("virtual:feeder")
        let folder = bench.folder + "/pages"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for feed in [
            DeviceFeed(
                host: bench.host, devices: [device], order: bench.order("out.tiff"),
                spool: folder, window: nil, beginning: beginning),
            BegunFeed(feed: SpoolFeed(pages: []), beginning: beginning),
        ] as [any PageFeed] {
            let error = await #expect(throws: JobError.self) {
                try await feed.run({ _ in }, take: { _ in })
            }
            #expect(error?.code == .spoolUnusable)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test("A request that is refused after its device was found releases the device")
    func refused() async throws {
        try Data("mine".utf8).write(to: URL(filePath: path("out.tiff")))
        await #expect(throws: DeliveryError.self) { try await run(bench.order("out.tiff")) }
        let again = try await bench.host.open(bench.host.find("virtual:feeder"))
        #expect(try await !again.options().isEmpty)
        await again.close()
    }
}
