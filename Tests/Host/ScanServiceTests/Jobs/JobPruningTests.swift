import CaptureHost
import FoundationEssentials
import Glibc
import Testing

@testable import ScanService

/// Tests which jobs are removed automatically, and which never are.
@Suite struct JobPruningTests {
    let bench: Bench
    private let day = 86_400.0

    init() throws { bench = try Bench() }

    /// A job that a jam ended on its third sheet, with a delivered document of the pages so far.
    private func jammed() async throws -> String {
        let order = bench.order("out.json", settings: ["fault": "jam", "fault-page": "3"])
        let outcome = try await bench.service.run(order, control: ScanControl(), onEvent: { _ in })
        return try #require(outcome.continuation?.job)
    }

    private func prune(_ days: Double, keeping: Int? = 30) -> [String] {
        JobStore(root: bench.store.root, keeping: keeping)
            .prune(at: Date() + days * day)
    }

    @Test("A job whose pages are all delivered is deleted when its days are over, and not before")
    func delivered() async throws {
        let job = try await jammed()
        #expect(prune(29).isEmpty && prune(31, keeping: nil).isEmpty)
        #expect(prune(31) == [job])
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("A job that a process is using stays")
    func held() async throws {
        let job = try await jammed()
        let folder = try JobFolder(path: bench.store.root + "/" + job)
        #expect(prune(1_000).isEmpty)
        folder.release()
        #expect(prune(1_000) == [job])
    }

    @Test("A job with an undelivered page is never removed")
    func undelivered() async throws {
        let job = try await jammed()
        let root = bench.store.root + "/" + job
        // Produces the state that a host leaves behind when it is killed after one more page.
        for ending in ["raw", "json"] {
            try FileManager.default.copyItem(
                atPath: "\(root)/page-0001.\(ending)", toPath: "\(root)/page-0009.\(ending)")
        }
        #expect(prune(10_000).isEmpty)
        #expect(try bench.store.job(job).pages == 3)
    }

    @Test("A job whose pages can't be counted counts as none without pages, and stays")
    func uncountable() throws {
        let folder = try bench.store.create(at: Date())
        #expect(folder.holdsNothing)
        // A note of an arrived page that is too long to be read.
        let note = folder.path + "/page-0001.arrived"
        #expect(FileManager.default.createFile(atPath: note, contents: nil))
        try #require(truncate(note, 1 << 40) == 0)
        #expect(!folder.holdsNothing)
        folder.release()
        #expect(prune(10_000).isEmpty)
        #expect(try bench.store.job(folder.id).problem?.contains("page-0001.arrived") == true)
    }

    @Test("A job that was interrupted stays even if its pages can't be read when it ends")
    func unreadable() async throws {
        let order = bench.order("out.json", settings: ["fault": "jam", "fault-page": "3"])
        let store = bench.store
        let outcome = try await bench.service.run(order, control: ScanControl()) { event in
            guard case .completing = event, let job = store.jobs().first else { return }
            _ = FileManager.default.createFile(
                atPath: job.folder + "/page-0001.json", contents: Data("{".utf8))
        }
        #expect(outcome.continuation?.interruption.code == "jammed")
        #expect(outcome.continuation?.pages == 2)
        #expect(bench.store.jobs().map(\.id) == [outcome.continuation?.job])
    }

    @Test("A job without any page, and the rest of one that was being removed, are deleted")
    func empty() throws {
        let folder = try bench.store.create(at: Date())
        folder.release()
        let half = bench.store.root + "/.gone-20260101-000000-abcd"
        try FileManager.default.createDirectory(atPath: half, withIntermediateDirectories: true)
        #expect(prune(0.5).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: half))
        #expect(prune(2) == [folder.id])
    }

    @Test(
        "COPYSTAND_KEEP_JOBS sets the days, 30 by default; anything but a number means no limit"
    )
    func setting() throws {
        func keeping(_ text: String?) throws -> Int? {
            try JobStore.standard(environment: text.map { ["COPYSTAND_KEEP_JOBS": $0] } ?? [:])
                .keeping
        }
        #expect(try keeping(nil) == 30 && keeping("7") == 7 && keeping("-1") == 0)
        #expect(try keeping("always") == nil && keeping("") == nil)
    }
}
