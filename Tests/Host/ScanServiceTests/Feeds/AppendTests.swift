import CaptureHost
import CaptureKit
import Delivery
import Documents
import FoundationEssentials
import JobOptions
import Testing

@testable import ScanService

@Suite struct AppendTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    /// Runs a job that a jam ends on its third page.
    private func jammed(_ outputs: String..., more: [String: String] = [:]) async throws
        -> ScanOutcome
    {
        var order = bench.order(settings: ["fault": "jam", "fault-page": "3"].merging(more) { $1 })
        order.outputs = outputs.map { bench.folder + "/" + $0 }
        return try await bench.service.run(order, control: ScanControl()) { _ in }
    }

    private func append(
        _ settings: [String: String] = ["fault": "none", "pages": "3"], job: String? = nil,
        _ events: Events = Events()
    ) async throws -> ScanOutcome {
        try await bench.service.append(
            to: bench.store.continuable(job),
            ScanOrder.Change(
                settings: settings.sorted { $0.key < $1.key }.map {
                    .init(option: $0.key, value: $0.value)
                }), control: ScanControl()
        ) { events.take($0) }
    }

    private func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: bench.folder + "/" + name))
    }

    @Test("A jam leaves the document so far and a job that names the next sheet")
    func interrupted() async throws {
        let outcome = try await jammed("out.json")
        #expect(try bench.labels("out.json") == ["sheet 1", "sheet 2"])
        let continuation = try #require(outcome.continuation)
        #expect(continuation.interruption.code == "jammed")
        #expect(continuation.interruption.next == NextSheet(sheet: 3))
        let job = try bench.store.job(continuation.job)
        #expect(job.isContinuable && job.pages == 2 && job.bytes > 0)
        // A recording plays from its start again, so that no page is added to the document.
        var record = try JobRecord.read(from: job.folder)
        record.isRecording = true
        try record.write(to: job.folder)
        #expect(try !bench.store.job(job.id).isContinuable)
        record.isRecording = nil
        try record.write(to: job.folder)
        #expect(job.interruption == continuation.interruption)
        #expect(job.delivered == [bench.folder + "/out.json"])
    }

    @Test("Further pages are added, the file is replaced, and the job is over")
    func appended() async throws {
        _ = try await jammed("out.json", "out.pdf")
        let outcome = try await append()
        guard case .completed = outcome.ending else { throw Unexpected(outcome) }
        #expect(outcome.pages.map(\.page.number) == [1, 2, 3, 4, 5])
        #expect(
            try bench.labels("out.json") == (1...5).map { "sheet \($0)" })
        #expect(outcome.receipts.map(\.pages) == [5, 5])
        #expect(bench.store.jobs().isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
        #expect(Set(names) == ["out.json", "out.pdf", "spool", "panel"])
    }

    @Test("A job continues after each of several jams, and the sheet numbers continue")
    func twice() async throws {
        _ = try await jammed("out.json")
        let second = try await append(["fault-page": "2"])
        #expect(second.continuation?.interruption.next == NextSheet(sheet: 4))
        #expect(try bench.labels("out.json").count == 3)
        _ = try await append()
        #expect(try bench.labels("out.json") == (1...6).map { "sheet \($0)" })
        #expect(!bench.exists("out-2.json"))
    }

    @Test("A capture that stops immediately adds nothing, and leaves file and job unchanged")
    func nothingFurther() async throws {
        _ = try await jammed("out.json")
        let before = try bytes("out.json")
        let outcome = try await append(["fault": "none", "pages": "0"])
        guard case .deviceFailed(let error) = outcome.ending else { throw Unexpected(outcome) }
        #expect((error as? HostError)?.code == HostError.Code(.feederEmpty))
        #expect(outcome.pages.isEmpty && outcome.continuation != nil)
        let after = try bytes("out.json")
        #expect(before == after)
        #expect(bench.store.jobs().map(\.pages) == [2])
    }

    @Test("A mistake in a setting does not stay with the job")
    func mistake() async throws {
        _ = try await jammed("out.json")
        _ = try await append(["resolutoin": "75"])
        #expect(bench.store.jobs().map(\.pages) == [2])
        _ = try await append()
        #expect(try bench.labels("out.json").count == 5)
    }

    @Test("A file that was changed since is left unchanged, and the document is written elsewhere")
    func changed() async throws {
        _ = try await jammed("out.json")
        let mine = Data("mine".utf8)
        try mine.write(to: URL(filePath: bench.folder + "/out.json"))
        let events = Events()
        let outcome = try await append(job: nil, events)
        #expect(try bytes("out.json") == mine)
        #expect(outcome.receipts.first?.locations == [bench.folder + "/out-2.json"])
        #expect(try bench.labels("out-2.json").count == 5)
        #expect(
            events.all.contains {
                if case .notReplaced(_, isGone: false) = $0 { true } else { false }
            })
    }

    @Test("A file that is gone is reported and written again")
    func gone() async throws {
        _ = try await jammed("out.json")
        try FileManager.default.removeItem(atPath: bench.folder + "/out.json")
        let events = Events()
        _ = try await append(job: nil, events)
        #expect(try bench.labels("out.json").count == 5)
        #expect(
            events.all.contains {
                if case .notReplaced(_, isGone: true) = $0 { true } else { false }
            })
    }

    @Test("Files of one page each are replaced one by one, and more are added")
    func imageFiles() async throws {
        _ = try await jammed("page.png", more: ["fault-page": "2"])
        #expect(bench.exists("page.png"))
        _ = try await append(["fault": "none", "pages": "2"])
        #expect(!bench.exists("page.png"))
        for name in ["page-001.png", "page-002.png", "page-003.png"] {
            #expect(bench.exists(name), "\(name)")
        }
        #expect(!bench.exists("page-004.png"))
    }

    @Test("An additional name that is in use sends the whole document elsewhere")
    func takenName() async throws {
        _ = try await jammed("page.png")
        let first = try bytes("page-001.png")
        try Data("mine".utf8).write(to: URL(filePath: bench.folder + "/page-004.png"))
        let outcome = try await append()
        #expect(outcome.receipts.first?.locations.first == bench.folder + "/page-2-001.png")
        #expect(try bytes("page-001.png") == first)
        #expect(try bytes("page-004.png") == Data("mine".utf8))
        let hidden = try FileManager.default.contentsOfDirectory(atPath: bench.folder)
            .filter { $0.hasPrefix(".") }
        #expect(hidden.isEmpty)
    }

    @Test("If a host ends between the new file and its note, the file is recognized anyway")
    func killedBeforeTheNote() async throws {
        let outcome = try await jammed("out.json")
        let job = try #require(outcome.continuation?.job)
        let folder = bench.store.root + "/" + job
        // This is the state when the process ends just after the file got its name.
        var record = try JobRecord.read(from: folder)
        let output = try #require(record.order.outputs.first)
        let left = try #require(record.deliveries?[output]?.left)
        record.deliveries?[output] = .init(left: [], placing: left)
        record.interruption = nil
        try record.write(to: folder)
        #expect(try bench.store.job(job).isContinuable)
        _ = try await append()
        #expect(try bench.labels("out.json").count == 5)
        #expect(!bench.exists("out-2.json"))
    }

    @Test("A file is recognized although two processes were killed while placing it")
    func killedTwice() throws {
        func file(_ number: Int) throws -> DeliveredFile {
            try JSONDecoder().decode(
                DeliveredFile.self,
                from: Data(
                    #"{"name":"out.json","inode":\#(number),"size":1,"modified":1}"#.utf8))
        }
        let (first, second, third) = try (file(1), file(2), file(3))
        var delivery = JobRecord.StoredDelivery()
        delivery.announce([first]) { _ in false }
        // The first file got its name before its process was killed; the second did not.
        delivery.announce([second]) { $0 == [first] }
        #expect(delivery.left == [first] && delivery.placing == [second])
        delivery.announce([third]) { $0 == [first] }
        #expect(delivery.left == [first] && delivery.placing == [third])
    }

    @Test("A job that the host left undelivered can also be continued, or resumed in order")
    func killedBeforeDelivering() async throws {
        let outcome = try await jammed("out.json")
        let job = try #require(outcome.continuation?.job)
        try FileManager.default.removeItem(atPath: bench.folder + "/out.json")
        var record = try JobRecord.read(from: bench.store.root + "/" + job)
        record.deliveries = nil
        record.interruption = nil
        try record.write(to: bench.store.root + "/" + job)
        _ = try await append(["fault-page": "2"])
        _ = try await bench.service.resume(
            bench.store.job(job), outputs: [], control: ScanControl()
        ) { _ in }
        #expect(try bench.labels("out.json") == ["sheet 1", "sheet 2", "sheet 3"])
        // The stack was not captured completely, so the job stays open for the rest.
        let left = try bench.store.continuable(nil)
        #expect(left.isOpen && left.undeliveredPages == 0)
        _ = try await append(["fault": "none", "pages": "1"])
        #expect(try bench.labels("out.json").count == 4)
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("The rest of a number of pages is the number that is missing")
    func limit() async throws {
        var order = bench.order("out.json", settings: ["fault": "jam", "fault-page": "3"])
        order.options[.pages] = 4
        _ = try await bench.service.run(order, control: ScanControl()) { _ in }
        _ = try await append(["fault": "none", "pages": "9"])
        #expect(try bench.labels("out.json").count == 4)
    }

    @Test("Without pages to continue, a continuation is refused")
    func nothing() async throws {
        let error = #expect(throws: JobError.self) { try bench.store.continuable(nil) }
        #expect(error?.code == .nothingToContinue)
        let unknown = #expect(throws: JobError.self) {
            try bench.store.continuable("20260101-000000-aaaa")
        }
        #expect(unknown?.code == .noSuchJob)
    }

    @Test("Discarding deletes the pages and leaves the document")
    func discarded() async throws {
        _ = try await jammed("out.json")
        try bench.store.continuable(nil).discard()
        #expect(bench.store.jobs().isEmpty)
        #expect(bench.exists("out.json"))
    }
}

/// A job that ended in a way the test did not expect.
struct Unexpected: Error {
    let outcome: ScanOutcome
    init(_ outcome: ScanOutcome) { self.outcome = outcome }
}
