import ContractSupport
import Glibc
import Testing

@testable import CaptureHost

/// Tests the start of a program that is open for writing, as in a host that copies one program
/// while a child of another thread has not started yet.
@Suite struct BusyProgramTests {
    @Test("A backend starts as soon as nobody has its program open for writing")
    func waits() async throws {
        let scripts = try TemporaryFolder()
        try Bench.install("opened()", id: "bad", in: scripts)
        let bench = try Bench([:]) { $0.backendFolders = [scripts.path] }
        let writer = open("\(scripts.path)/bad.py", O_WRONLY)
        try #require(writer >= 0)
        async let found = bench.host.find("bad:d")
        try await Task.sleep(for: .milliseconds(100))
        close(writer)
        #expect(try await found.id == "bad:d")
        await bench.host.shutdown()
    }

    @Test("A backend whose program stays open for writing is a problem with its reason")
    func staysBusy() async throws {
        let scripts = try TemporaryFolder()
        try Bench.install("opened()", id: "bad", in: scripts)
        let bench = try Bench([:]) { $0.backendFolders = [scripts.path] }
        let writer = open("\(scripts.path)/bad.py", O_WRONLY)
        try #require(writer >= 0)
        defer { close(writer) }
        let listing = await bench.host.listDevices()
        #expect(listing.problems.first?.message.contains("Text file busy") == true)
        await bench.host.shutdown()
    }
}
