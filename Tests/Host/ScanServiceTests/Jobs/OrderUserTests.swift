import Documents
import FoundationEssentials
import Testing

@testable import Archive
@testable import ScanService

/// Tests whose documents a job makes.
@Suite struct OrderUserTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    private var place: String { bench.folder + "/archive" }

    /// An order for the archive, which a jam ends on its third page.
    private func jam(_ user: ArchiveUser?) -> ScanOrder {
        var order = bench.order(settings: ["fault": "jam", "fault-page": "3"])
        order.outputs = ["archive:" + place]
        order.user = user
        return order
    }

    @Test("A document belongs to who ordered its job, also when others continue and resume the job")
    func continued() async throws {
        let ada = ArchiveUser(name: "ada", station: "hall", sees: .own)
        let outcome = try await bench.service.run(jam(ada), control: ScanControl()) { _ in }
        let job = try bench.store.job(#require(outcome.continuation).job)
        #expect(job.order?.user == ada)
        _ = try await bench.service.append(
            to: job, .init(settings: [.init(option: "fault", value: "none")]),
            control: ScanControl()
        ) { _ in }
        let archive = try Archive(folder: place, .readOnly).used(by: ada)
        let whole = try #require(try archive.documents().first)
        #expect(whole.owner == "ada" && whole.pages > 2)
        let entries = try archive.used(by: .ofThisProcess).history()
        #expect(entries.map(\.action) == [.trashed, .scanned, .scanned])
        #expect(entries.allSatisfy { $0.name == "ada" && $0.station == "hall" })
    }

    @Test("Without a name, the document belongs to the user of the program")
    func system() async throws {
        _ = try await bench.service.run(jam(nil), control: ScanControl()) { _ in }
        let archive = try Archive(folder: place, .readOnly)
        let name = try #require(ArchiveUser.ofThisProcess.name)
        #expect(try archive.documents().map(\.owner) == [name])
        #expect(try archive.history().map(\.name) == [name])
    }
}
