import FileNames
import FoundationEssentials
import Glibc
import HTTPServer
import ScanService
import Synchronization
import Testing

@testable import WebServer

/// Tests the limits for uploads, and how long they are kept.
@Suite struct UploadsTests {
    private let root = "/tmp/copystand-uploads-\(UInt64.random(in: 0 ... .max))"
    private let clock = Clock()

    /// A clock that is set by the test.
    private final class Clock: Sendable {
        private let passed = Mutex(Duration.zero)
        private let start = ContinuousClock.now
        func pass(_ time: Duration) { passed.withLock { $0 += time } }
        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
    }

    private func uploads(_ change: (inout Uploads.Limits) -> Void = { _ in }) -> Uploads {
        mkdir(root, 0o700)
        var limits = Uploads.Limits()
        change(&limits)
        return Uploads(root: root, limits: limits) { [clock] in clock.now }
    }

    private func send(_ uploads: Uploads, _ text: String = "picture") throws -> String {
        let (path, _) = try uploads.place(for: "me")
        try Data(text.utf8).write(to: URL(filePath: path))
        return try uploads.keep(path, bytes: text.utf8.count)
    }

    private func status(_ body: () throws -> Void) -> Int? {
        do {
            try body()
            return nil
        } catch { return (error as? Problem)?.status }
    }

    @Test("Uploaded files are used once, in the requested order")
    func taken() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let uploads = uploads()
        let ids = try ["a", "b"].map { try send(uploads, $0) }
        let files = try uploads.take(ids.reversed(), for: "me")
        #expect(
            try files.map { try String(contentsOfFile: $0.path, encoding: .utf8) } == ["b", "a"])
        #expect(status { _ = try uploads.take([ids[0]], for: "me") } == 404)
    }

    @Test(
        "An upload keeps its name, without what no file's name may have",
        arguments: [
            ("Rent 2026.pdf", "Rent 2026.pdf"), ("../../etc/passwd", "-..-etc-passwd"),
            (".hidden", "hidden"), ("", nil), ("...", nil), (nil, nil), ("a\nb", "a-b"),
        ])
    func named(_ given: String?, kept: String?) throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let uploads = uploads()
        let (path, _) = try uploads.place(for: "me")
        try Data("picture".utf8).write(to: URL(filePath: path))
        let id = try uploads.keep(path, bytes: 7, name: given)
        #expect(try uploads.take([id], for: "me") == [AdoptedFile(path: path, name: kept)])
    }

    @Test("An upload belongs to the client that sent it")
    func owned() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let uploads = uploads()
        let id = try send(uploads)
        #expect(status { _ = try uploads.take([id], for: "another") } == 404)
        #expect(try uploads.take([id], for: "me").count == 1)
    }

    @Test("An unknown id, or a repeated one, uses nothing")
    func unknown() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let uploads = uploads()
        let id = try send(uploads)
        for names in [["../../etc/passwd"], ["", id], [id, id], [id, "x"]] {
            #expect(status { _ = try uploads.take(names, for: "me") } == 404)
        }
        #expect(try uploads.take([id], for: "me").count == 1)
    }

    @Test("A file that is still arriving can't be used yet, and an empty one never can")
    func unfinished() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let uploads = uploads()
        let (path, limit) = try uploads.place(for: "me")
        #expect(limit == 256 << 20)
        let id = String(path.split(separator: "/").last ?? "")
        #expect(status { _ = try uploads.take([id], for: "me") } == 404)
        #expect(status { _ = try uploads.keep(path, bytes: 0) } == 400)
    }

    @Test("A file whose request is refused after it arrived frees its space")
    func refusedRequest() async throws {
        let setup = try ServerSetup(asks: false)
        defer { setup.remove() }
        mkdir(setup.folder + "/spool", 0o700)
        let head = HTTPRequestHead(
            method: "POST", path: ["api", "v1", "uploads"],
            query: [(name: "unknown", value: "1")],
            headers: [(name: "Host", value: "localhost")])
        let most = Uploads.Limits()
        for _ in 0...(most.all / most.file) {
            guard case .file(let path, let limit, let grow, _) = setup.server.admit(head) else {
                Issue.record("There is no room left.")
                return
            }
            #expect(grow(limit))
            try Data("picture".utf8).write(to: URL(filePath: path))
            let answer = await setup.server.respond(
                to: HTTPRequest(head: head, body: .file(path: path, count: limit)))
            #expect(answer.status == 400)
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test("Uploads are refused while too many arrive, or too many bytes wait to be used")
    func refused() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let paced = uploads { $0.pace = 3 }
        for _ in 0..<3 { _ = try send(paced) }
        #expect(status { _ = try paced.place(for: "me") } == 429)
        clock.pass(.seconds(61))
        _ = try send(paced)
        let full = uploads { $0.all = 10 }
        _ = try send(full, "0123456789")
        #expect(status { _ = try full.place(for: "me") } == 507)
        let few = uploads { $0.count = 1 }
        let id = try send(few)
        #expect(status { _ = try few.place(for: "me") } == 507)
        _ = try few.take([id], for: "me")
        _ = try few.place(for: "me")
    }

    @Test("An upload that is not used within an hour is deleted")
    func old() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let uploads = uploads()
        let (path, _) = try uploads.place(for: "me")
        try Data("picture".utf8).write(to: URL(filePath: path))
        let id = try uploads.keep(path, bytes: 7)
        clock.pass(.seconds(3601))
        _ = try uploads.place(for: "me")
        #expect(status { _ = try uploads.take([id], for: "me") } == 404)
        #expect(access(path, F_OK) != 0)
    }

    @Test("Bytes count as they arrive, for complete and incomplete files, and are released")
    func growing() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let uploads = uploads { $0.all = 100 }
        let (first, _) = try uploads.place(for: "me")
        let (second, _) = try uploads.place(for: "me")
        #expect(uploads.grow(first, by: 60))
        #expect(!uploads.grow(second, by: 41))
        #expect(uploads.grow(second, by: 40))
        #expect(!uploads.grow(first, by: 1))
        #expect(!uploads.grow(first, by: .max))
        #expect(status { _ = try uploads.place(for: "me") } == 507)
        uploads.forget(first)
        #expect(!uploads.grow(first, by: 1))
        #expect(uploads.grow(second, by: 60))
        try Data(count: 100).write(to: URL(filePath: second))
        let id = try uploads.keep(second, bytes: 100)
        #expect(status { _ = try uploads.place(for: "me") } == 507)
        _ = try uploads.take([id], for: "me")
        _ = try uploads.place(for: "me")
    }

    @Test("A file that announces more bytes than there is room for is refused before it arrives")
    func announced() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let uploads = uploads { ($0.all, $0.file) = (100, 90) }
        let (first, _) = try uploads.place(announced: 90, for: "me")
        #expect(uploads.grow(first, by: 20))
        #expect(status { _ = try uploads.place(announced: 81, for: "me") } == 507)
        _ = try uploads.place(announced: 80, for: "me")
        #expect(status { _ = try uploads.place(announced: .max, for: "me") } == 507)
    }

    @Test("Uploads are deleted with their host, and those of a running one stay")
    func leftovers() throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        var uploads: Uploads? = uploads()
        let (path, _) = try #require(try uploads?.place(for: "me"))
        try Data("half".utf8).write(to: URL(filePath: path))
        JobStore(root: root).removeOrphans()
        #expect(access(path, F_OK) == 0)
        uploads = nil
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == [])
    }
}
