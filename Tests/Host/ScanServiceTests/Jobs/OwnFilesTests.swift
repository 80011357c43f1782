import CaptureHost
import ContractSupport
import Documents
import FileImportBackend
import FoundationEssentials
import Processing
import Testing

@testable import ScanService

/// Tests files that a job owns, and that exist nowhere else.
@Suite struct OwnFilesTests {
    private let bench: Bench
    private let service: ScanService

    init() throws {
        bench = try Bench()
        let host = CaptureHost(
            HostConfiguration(backendFolders: [], stateFile: bench.folder + "/files.json").patient,
            inProcess: ["file": FileImportBackend()])
        service = ScanService(
            host: host, store: bench.store,
            profiles: ProfileLibrary(folder: bench.folder + "/profiles"), recognizer: NoReader(),
            workers: 2, clock: bench.clock, namedSink: noNamedSink)
    }

    private func upload(
        _ name: String, rows: Int = 40, called: String? = nil
    ) throws -> AdoptedFile {
        let path = bench.folder + "/" + name
        try Data(Array("P5\n30 40\n255\n".utf8) + [UInt8](repeating: 200, count: 30 * rows))
            .write(to: URL(filePath: path))
        return AdoptedFile(path: path, name: called)
    }

    private var order: ScanOrder {
        ScanOrder(sources: [], outputs: [bench.folder + "/out.tiff"], profile: "none")
    }

    @Test("A job that is stopped before its first page keeps its uploads, and resumes")
    func stopped() async throws {
        let control = ScanControl()
        control.stop()
        let outcome = try? await service.run(
            order, adopting: [try upload("a.pgm"), try upload("b.pgm")], control: control
        ) { _ in }
        #expect(outcome?.pages.isEmpty ?? true)
        let job = try #require(bench.store.jobs().first)
        #expect(job.undeliveredPages == 2)
        #expect(throws: JobError.self) { try job.discard() }
        let resumed = try await service.resume(job, outputs: [], control: ScanControl()) { _ in }
        #expect(resumed.pages.count == 2 && resumed.failures.isEmpty)
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("Pages of uploads have the names of their files, which two of them may share")
    func named() async throws {
        let files = try [("a", "Rent.pgm"), ("b", "Rent.pgm"), ("c", nil)].map {
            try upload($0.0, called: $0.1)
        }
        let outcome = try await service.run(order, adopting: files, control: ScanControl()) { _ in }
        let labels = outcome.pages.map(\.page.provenance.label)
        #expect(labels == ["Rent.pgm", "Rent.pgm", "picture-3"])
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("An upload that can't be read stays until it is discarded with force")
    func damaged() async throws {
        let outcome = try await service.run(
            order, adopting: [try upload("a.pgm"), try upload("b.pgm", rows: 0)],
            control: ScanControl()
        ) { _ in }
        #expect(outcome.pages.count == 1 && outcome.skipped.count == 1)
        let job = try #require(bench.store.jobs().first)
        #expect(job.interruption?.code == Interruption.unread && job.undeliveredPages == 1)
        let resumed = try await service.resume(job, outputs: [], control: ScanControl()) { _ in }
        #expect(resumed.pages.count == 1 && resumed.skipped.count == 1)
        #expect(bench.store.jobs().map(\.undeliveredPages) == [1])
        try job.discard(force: true)
        #expect(bench.store.jobs().isEmpty)
    }
}
