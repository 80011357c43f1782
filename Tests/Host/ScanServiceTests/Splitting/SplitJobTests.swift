import Archive
import Delivery
import Documents
import FoundationEssentials
import Glibc
import JobOptions
import Recognition
import Testing

@testable import ScanService

/// Tests stacks that are split, from the feeder to the files.
@Suite struct SplitJobTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private static let sheet = SplitRule.separatorText

    /// A request for a feeder with these pages, split at separators and archive numbers, without
    /// processing.
    private func order(_ texts: [String?], _ outputs: String...) throws -> ScanOrder {
        let folder = bench.folder + "/pages"
        try CodedPages.write(texts, to: folder)
        var order = bench.order()
        order.settings = [.init(option: "folder", value: folder)]
        order.outputs = outputs.map { bench.folder + "/" + $0 }
        order.options[.splitAt] = ["separator", #"ASN\d+"#]
        return order
    }

    private func run(_ order: ScanOrder, _ events: Events = Events()) async throws -> ScanOutcome {
        try await bench.service.run(order, control: ScanControl()) { events.take($0) }
    }

    private func resume(
        _ job: StoredJob, _ pages: SplitPages? = nil
    ) async throws -> ScanOutcome {
        var options = JobSettings()
        if let pages { options[.splitPages] = pages }
        return try await bench.service.resume(
            job, outputs: [], options: options, control: ScanControl()
        ) { _ in }
    }

    private var documents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: bench.folder)) ?? [])
            .filter { $0.hasSuffix(".json") && $0 != "devices.json" }.sorted()
    }

    private func title(_ name: String) throws -> String {
        struct Document: Decodable { var title: String }
        let data = try Data(contentsOf: URL(filePath: bench.folder + "/" + name))
        return try JSONDecoder().decode(Document.self, from: data).title
    }

    @Test(
        "A stack with separator sheets becomes several documents without the sheets, which the job keeps"
    )
    func sheets() async throws {
        let outcome = try await run(order(["", "", Self.sheet, "", Self.sheet], "out.json"))
        #expect(documents == ["out-001.json", "out-002.json"])
        #expect(try bench.labels("out-001.json") == ["p1.pgm", "p2.pgm"])
        #expect(try bench.labels("out-002.json") == ["p4.pgm"])
        #expect(outcome.documents.map(\.pages) == [2, 1])
        #expect(outcome.documents.flatMap(\.locations) == documents.map { bench.folder + "/" + $0 })
        #expect(outcome.pages.map(\.document) == [1, 1, 0, 2, 0])
        #expect(outcome.pages.map(\.page.number) == [1, 2, 3, 4, 5])
        let job = try bench.store.job(try #require(outcome.asidePagesJob))
        #expect(job.asidePages == 2 && job.pages == 5)
        #expect(outcome.failures.isEmpty && outcome.continuation == nil)
    }

    @Test(
        "Sheets that were left out can still be delivered, in documents that replace those without them"
    )
    func recovered() async throws {
        let outcome = try await run(order(["", Self.sheet, ""], "out.json"))
        let resumed = try await resume(
            try bench.store.job(try #require(outcome.asidePagesJob)), .keep)
        #expect(documents == ["out-001.json", "out-002.json"])
        #expect(try bench.labels("out-002.json") == ["p2.pgm", "p3.pgm"])
        #expect(resumed.asidePagesJob == nil)
        #expect(bench.store.jobs().isEmpty)
    }

    @Test(
        "A job that only keeps separator sheets is removed after some time")
    func pruned() async throws {
        let outcome = try await run(order(["", Self.sheet, ""], "out.json"))
        let job = try bench.store.job(try #require(outcome.asidePagesJob))
        let later = Date().addingTimeInterval(31 * 86_400)
        #expect(job.isSpent(at: later, keeping: 30) && !job.isSpent(at: Date(), keeping: 30))
        #expect(!job.isSpent(at: later, keeping: nil))
    }

    @Test("A barcode begins a document, stays in it, and names it and its file")
    func named() async throws {
        let outcome = try await run(
            order(["", "ASN0007", "", "ASN0008", "ASN0008"], "{name}.json"))
        #expect(documents == ["001.json", "ASN0007.json", "ASN0008-004.json", "ASN0008.json"])
        #expect(try bench.labels("ASN0007.json") == ["p2.pgm", "p3.pgm"])
        #expect(try title("ASN0007.json") == "ASN0007")
        #expect(try title("001.json") == "001")
        #expect(outcome.documents.map(\.name) == [nil, "ASN0007", "ASN0008", "ASN0008"])
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("A given title comes before the part that distinguishes the documents")
    func titled() async throws {
        var order = try order(["", "ASN0007"], "out.json")
        order.options[.title] = "Post"
        _ = try await run(order)
        #expect(
            try [title("out-001.json"), title("out-002.json")] == ["Post 001", "Post ASN0007"])
    }

    @Test("The empty back of a separator sheet is left out with the sheet")
    func duplex() async throws {
        var order = try order(["", nil, Self.sheet, nil, "", nil], "out.json")
        order.stepChanges = ["blank=on"]
        _ = try await run(order)
        #expect(try bench.labels("out-001.json") == ["p1.pgm"])
        #expect(try bench.labels("out-002.json") == ["p5.pgm"])
    }

    @Test("A sheet's blank back is recognized even if blank pages are kept, and those stay")
    func duplexWithBlankPages() async throws {
        let outcome = try await run(order(["", nil, Self.sheet, nil, "", nil], "out.json"))
        #expect(try bench.labels("out-001.json") == ["p1.pgm", "p2.pgm"])
        #expect(try bench.labels("out-002.json") == ["p5.pgm", "p6.pgm"])
        #expect(!outcome.pages.contains { $0.page.isBlank } && outcome.blankPagesJob == nil)
    }

    @Test("A profile can say where its stacks are split")
    func profile() async throws {
        let folder = bench.folder + "/profiles"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(#"{ splitAt: ["separator"] }"#.utf8).write(
            to: URL(filePath: folder + "/pile.json5"))
        var order = try order(["", Self.sheet, ""], "out.json")
        (order.options[.splitAt], order.profile) = ([], "pile")
        let outcome = try await run(order)
        #expect(outcome.documents.count == 2)
        // The job has its own copy of the profile, so changes to the profile have no effect.
        try Data(#"{}"#.utf8).write(to: URL(filePath: folder + "/pile.json5"))
        let resumed = try await resume(
            try bench.store.job(try #require(outcome.asidePagesJob)), .keep)
        #expect(resumed.documents.count == 2)
    }

    @Test("A stack of separator sheets alone makes no document, and the job keeps them")
    func onlySheets() async throws {
        let outcome = try await run(order([Self.sheet, Self.sheet], "out.json"))
        #expect(documents == [] && outcome.receipts.isEmpty && outcome.documents.isEmpty)
        #expect(bench.store.jobs().map(\.asidePages) == [2])
        // The pages exist nowhere else, so they are not discarded without a question.
        #expect(bench.store.jobs().map(\.undeliveredPages) == [2])
    }

    @Test("A name that is in use is refused before the capture, and avoided after the capture")
    func taken() async throws {
        let mine = Data("mine".utf8)
        try mine.write(to: URL(filePath: bench.folder + "/out-001.json"))
        let first = try order(["", "ASN0007"], "out.json")
        await #expect(throws: DeliveryError.self) { try await run(first) }
        #expect(bench.store.jobs().isEmpty)
        unlink(bench.folder + "/out-001.json")
        try mine.write(to: URL(filePath: bench.folder + "/out-002.json"))
        let outcome = try await run(first)
        #expect(outcome.documents.last?.locations == [bench.folder + "/out-002-2.json"])
        #expect(try Data(contentsOf: URL(filePath: bench.folder + "/out-002.json")) == mine)
    }

    @Test("An invalid rule is refused before the capture, with its place")
    func wrongRule() async throws {
        var order = try order([""], "out.json")
        order.options[.splitAt] = ["ASN["]
        await #expect(throws: JobError.self) { try await run(order) }
        #expect(bench.store.jobs().isEmpty && documents == [])
    }

    @Test("A job that was killed before its last document makes the same documents, each once")
    func killed() async throws {
        let spool = bench.folder + "/spool"
        let snapshot = "20260101-000000-kild"
        // At this moment all pages are captured, and every document except the last is delivered.
        let events = Events { event in
            guard case .completing = event,
                let job = try? FileManager.default.contentsOfDirectory(atPath: spool).first
            else { return }
            try? FileManager.default.copyItem(
                atPath: spool + "/" + job, toPath: spool + "/" + snapshot)
        }
        let outcome = try await run(
            order(["", Self.sheet, "ASN0007", "", "ASN0008"], "out.json"), events)
        let whole = try documents.map(bench.labels)
        #expect(whole == [["p1.pgm"], ["p3.pgm", "p4.pgm"], ["p5.pgm"]])
        try bench.store.job(try #require(outcome.asidePagesJob)).discard()
        // The last document does not exist yet, and the sheet can no longer be read.
        unlink(bench.folder + "/out-003.json")
        try blacken(spool + "/" + snapshot + "/page-0002.raw")
        let resumed = try await resume(try bench.store.job(snapshot))
        #expect(documents == ["out-001.json", "out-002.json", "out-003.json"])
        #expect(try documents.map(bench.labels) == whole)
        #expect(resumed.documents.map(\.name) == [nil, "ASN0007", "ASN0008"])
    }

    /// Makes all pixels of a spooled page black.
    private func blacken(_ path: String) throws {
        var status = stat()
        try #require(stat(path, &status) == 0)
        try Data(count: Int(status.st_size)).write(to: URL(filePath: path))
    }

    @Test("After a jam the last document continues with further pages, and the earlier ones stay")
    func appended() async throws {
        var first = try order(["", Self.sheet, "", ""], "out.json")
        first.settings += [
            .init(option: "fault", value: "jam"), .init(option: "fault-page", value: "4"),
        ]
        let jammed = try await run(first)
        #expect(jammed.documents.map(\.pages) == [1, 1])
        let further = bench.folder + "/further"
        try CodedPages.write(["", Self.sheet, ""], to: further)
        let outcome = try await bench.service.append(
            to: bench.store.continuable(nil),
            ScanOrder.Change(settings: [
                .init(option: "fault", value: "none"), .init(option: "folder", value: further),
            ]), control: ScanControl()
        ) { _ in }
        #expect(outcome.documents.map(\.pages) == [1, 2, 1])
        #expect(documents == ["out-001.json", "out-002.json", "out-003.json"])
        #expect(try bench.labels("out-002.json") == ["p3.pgm", "p1.pgm"])
        #expect(try bench.labels("out-003.json") == ["p3.pgm"])
    }

    @Test("A document that can't be written fails alone, and the job resumes")
    func oneFails() async throws {
        var order = try order(["ASN0001", "ASN0002", "ASN0003"], "{name}/out.json")
        for name in ["ASN0001", "ASN0003"] {
            try FileManager.default.createDirectory(
                atPath: bench.folder + "/" + name, withIntermediateDirectories: true)
        }
        order.options[.splitAt] = [#"ASN\d+"#]
        let outcome = try await run(order)
        #expect(outcome.failures.map(\.sink) == [bench.folder + "/ASN0002/out.json"])
        #expect(outcome.receipts.count == 2)
        try FileManager.default.createDirectory(
            atPath: bench.folder + "/ASN0002", withIntermediateDirectories: true)
        let resumed = try await resume(try bench.store.job(try #require(outcome.keptJob)))
        #expect(resumed.receipts.count == 3 && resumed.failures.isEmpty)
        for name in ["ASN0001", "ASN0002", "ASN0003"] {
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/" + name)
                    == ["out.json"])
        }
        #expect(bench.store.jobs().isEmpty)
    }

    @Test(
        "A stack goes into the archive as separate documents, with the barcode as title and field"
    )
    func archived() async throws {
        var order = try order(["ASN0007", "", Self.sheet, ""])
        order.outputs = ["archive:" + bench.folder + "/archive"]
        let outcome = try await run(order)
        #expect(outcome.documents.map(\.locations) == [["1"], ["2"]])
        // The job delivers again without adding anything twice.
        let resumed = try await resume(try bench.store.job(try #require(outcome.asidePagesJob)))
        #expect(resumed.documents.map(\.locations) == [["1"], ["2"]])
        let archive = try Archive(folder: bench.folder + "/archive", .readOnly)
        let first = try archive.document(DocumentID(rawValue: 1))
        #expect(first.summary.title == "ASN0007" && first.summary.pages == 2)
        #expect(first.review.fields.map(\.value) == ["ASN0007"])
    }
}
