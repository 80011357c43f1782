import ContractSupport
import Delivery
import FoundationEssentials
import Glibc
import Testing

@testable import ScanService

/// Tests a spool in which something else is in the place of a job's folder or of its files.
@Suite(.timeLimit(.minutes(1))) struct HostileJobTests {
    private let bench: Bench
    private let outside: Outside

    init() throws {
        bench = try Bench()
        // A record that could be read: only the link keeps it from being used.
        outside = try Outside("{}")
    }

    /// A job that a jam ended on its third sheet.
    private func job() async throws -> String {
        let name = UUID().uuidString + ".json"
        let order = bench.order(name, settings: ["fault": "jam", "fault-page": "3"])
        let outcome = try await bench.service.run(order, control: ScanControl(), onEvent: { _ in })
        return try #require(outcome.continuation?.job)
    }

    /// Every file of a job's folder.
    private static let names = [
        "job.json", "lock", "captured", "host", "page-0001.raw", "page-0001.json", "page-0001.jpg",
        "page-0001.text", "page-0003.raw.part", "page-0003.arrived", "job.json.part",
        "standard-input", "input-2", "source-1.pdf",
    ]

    @Test(
        "Something else in place of a job's file is named, and the other jobs go on",
        arguments: names, HostileEntry.allCases)
    func files(name: String, entry: HostileEntry) async throws {
        let (one, other) = (try await job(), try await job())
        let path = "\(bench.store.root)/\(one)/\(name)"
        guard outside.put(entry, at: path) else { return }
        let message = "'\(path)' is \(entry.words), not a file. Move it away."
        let listed = bench.store.jobs()
        #expect(listed.map(\.id).sorted() == [one, other].sorted())
        let job = try bench.store.job(one)
        #expect(job.problem == message && !job.isContinuable)
        #expect(job.advice.map(\.action) == [.discard])
        await #expect { try await resume(job) } throws: { ($0 as? JobError)?.message == message }
        #expect { try bench.store.continuable(one) } throws: {
            ($0 as? JobError)?.message == message
        }
        #expect(bench.store.prune(at: Date() + 1e9) == [other])
        #expect(outside.isUntouched)
        // Once it is moved away, only that file is missing.
        unlink(path)
        rmdir(path)
        #expect(try bench.store.job(one).problem == nil)
    }

    private func resume(_ job: StoredJob) async throws {
        _ = try await bench.service.resume(job, outputs: [], control: ScanControl()) { _ in }
    }

    @Test("Other jobs are resumed beside a hostile one")
    func others() async throws {
        let (one, other) = (try await job(), try await job())
        try #require(outside.put(.pipe, at: "\(bench.store.root)/\(one)/job.json"))
        try await resume(try bench.store.job(other))
        #expect(try bench.store.continuable(nil).id == other)
    }

    @Test(
        "Something else in place of a job's folder is listed with a message, and never entered",
        arguments: HostileEntry.allCases.filter { $0 != .folder })
    func folder(entry: HostileEntry) async throws {
        _ = try await job()
        let id = "20260101-000000-aaaa"
        let path = bench.store.root + "/" + id
        guard outside.put(entry, at: path) else { return }
        let message = "'\(path)' is \(entry.words), not a folder. Move it away."
        let job = try bench.store.job(id)
        #expect(job.problem == message && job.pages == 0 && job.bytes == 0)
        await #expect { try await resume(job) } throws: { ($0 as? JobError)?.message == message }
        #expect { try job.discard(force: true) } throws: { ($0 as? JobError)?.message == message }
        #expect(bench.store.jobs().count == 2)
        #expect(!bench.store.prune(at: Date() + 1e9).contains(id))
        #expect(outside.isUntouched)
    }

    @Test("A link to another folder, in place of a job's, is never entered")
    func linkedFolder() async throws {
        _ = try await job()
        let path = bench.store.root + "/20260101-000000-aaaa"
        try #require(outside.link(at: path))
        let job = try bench.store.job("20260101-000000-aaaa")
        #expect(job.problem == "'\(path)' is a link, not a folder. Move it away.")
        await #expect(throws: JobError.self) { try await resume(job) }
        #expect(throws: JobError.self) { try job.discard(force: true) }
        #expect(outside.isUntouched)
    }

    @Test("Removing a job follows no link in its folder")
    func removing() async throws {
        let job = try bench.store.job(try await job())
        try #require(outside.link(at: job.folder + "/picture-1"))
        try #require(outside.put(.link, at: job.folder + "/page-0009.jpg"))
        #expect(job.problem == nil)
        try job.discard(force: true)
        #expect(bench.store.jobs().isEmpty && outside.isUntouched)
        try #require(outside.link(at: bench.store.root + "/.gone-20260101-000000-aaaa"))
        bench.store.prune(at: Date())
        #expect(outside.isUntouched)
    }

    @Test("A link in place of an upload's folder gets no upload")
    func upload() throws {
        let folder = bench.folder + "/job"
        try #require(mkdir(folder, 0o700) == 0 && outside.link(at: folder + "/picture-1"))
        try Data("picture".utf8).write(to: URL(filePath: bench.folder + "/upload"))
        let file = AdoptedFile(path: bench.folder + "/upload", name: "a.jpg")
        #expect { try adopt([file], in: folder) } throws: {
            ($0 as? JobError)?.message.contains("'\(folder)/picture-1' is a link, not a folder")
                == true
        }
        #expect(outside.isUntouched && bench.exists("upload"))
    }

    @Test(
        "A spool that others can change is refused, and says so",
        arguments: [(0o777, 0), (0o700, 12_345)] as [(mode_t, uid_t)])
    func foreignSpool(mode: mode_t, owner: uid_t) async throws {
        let root = bench.store.root
        try #require(mkdir(root, 0o700) == 0 && chmod(root, mode) == 0)
        guard owner == 0 || chown(root, owner, gid_t.max) == 0 else { return }
        let check: (any Error) -> Bool = {
            let message = ($0 as? JobError)?.message ?? ""
            return message.contains("'\(root)'")
                && message.contains("who can change") != (owner == 0)
                && message.hasSuffix("(or name a folder of your own in COPYSTAND_SPOOL)")
        }
        #expect(performing: { try bench.store.check() }, throws: check)
        #expect(performing: { try bench.store.continuable(nil) }, throws: check)
        await #expect(performing: { try await job() }, throws: check)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root).isEmpty)
    }

    @Test("A link that this user has set leads to the spool")
    func linkedSpool() async throws {
        let place = bench.folder + "/elsewhere"
        try #require(mkdir(place, 0o700) == 0 && symlink(place, bench.store.root) == 0)
        let id = try await job()
        #expect(try bench.store.job(id).problem == nil)
        try await resume(try bench.store.job(id))
    }
}
