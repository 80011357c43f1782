import CaptureKit
import ContractSupport
import Foundation
import Synchronization
import Testing

@testable import CaptureHost

/// Tests backends that their developer starts, for example in a debugger, and that connect to the
/// waiting host.
@Suite struct AttachTests {
    /// A manually started program and its arguments.
    struct Program: Sendable, CustomTestStringConvertible {
        var name: String
        var words: [String]
        /// The interpreter, if it may be missing.
        var interpreter: String?
        var testDescription: String { name }
    }

    private static let programs = [
        Program(
            name: "Swift",
            words: [(runningExecutable().map(parentFolder) ?? ".") + "/copystand-backend-fake"]),
        Program(name: "Python", words: [repositoryRoot + "/Examples/python/netcam.py"]),
        Program(
            name: "JavaScript",
            words: ["/usr/bin/node", repositoryRoot + "/Examples/javascript/clock.mjs"],
            interpreter: "node"),
    ]

    private func start(_ words: [String], at place: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = ["COPYSTAND_ATTACH": place, "PATH": "/usr/bin:/bin"]
        try process.run()
        return process
    }

    @Test(
        "A manually started program serves the waiting host, and only its user can connect",
        arguments: programs)
    func attaches(_ program: Program) async throws {
        if let interpreter = program.interpreter, access(program.words[0], X_OK) != 0 {
            try Test.cancel("needs \(interpreter)")
        }
        let folder = try TemporaryFolder()
        let place = folder.file("hand")
        let waits = AsyncStream<String>.makeStream()
        let bench = try Bench([:]) {
            $0.attach = try? AttachPoint(place)
            $0.onWait = { waits.continuation.yield($0) }
        }
        async let listing = bench.host.listDevices(backend: "hand")
        var says = waits.stream.makeAsyncIterator()
        let said = try #require(await says.next())
        #expect(said.hasSuffix("COPYSTAND_ATTACH=\(place)"))
        let mode = try await appeared(place)
        #expect(mode & 0o777 == 0o600)
        let process = try start(program.words, at: place)
        // Otherwise the test would wait forever for a program that ends before it has connected.
        process.terminationHandler = { [host = bench.host] _ in Task { await host.shutdown() } }
        #expect(await listing.problems == [])
        #expect(access(place, F_OK) != 0)
        // The program ends with its host, like a program that the host has started.
        await bench.host.shutdown()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(
        "A program in C is attached too, and reports when no host waits",
        .enabled(if: access("/usr/bin/gcc", X_OK) == 0, "needs gcc"))
    func c() async throws {
        let folder = try TemporaryFolder()
        let program = folder.file("netcam")
        let source = repositoryRoot + "/Examples/c"
        try #require(
            system("gcc -pthread -I'\(source)' -o '\(program)' '\(source)/netcam.c' -lm") == 0)
        try await attaches(Program(name: "C", words: [program]))
        let alone = try start([program], at: folder.file("nobody"))
        alone.waitUntilExit()
        #expect(alone.terminationStatus == 2)
    }

    /// Waits for a socket and returns its mode.
    private func appeared(_ path: String) async throws -> mode_t {
        var about = stat()
        while lstat(path, &about) != 0 { await Task.yield() }
        #expect(about.st_mode & S_IFMT == S_IFSOCK)
        return about.st_mode
    }

    @Test(
        "A place where no host can wait is refused",
        arguments: ["mycam", "", "/", "/run/My Cam", "/" + String(repeating: "x", count: 107)])
    func refused(_ path: String) {
        #expect(throws: HostError.self) { try AttachPoint(path) }
    }

    @Test("A socket's folder must not be writable by others, and an existing file stays")
    func untrusted() async throws {
        let folder = try TemporaryFolder()
        let open = folder.file("open")
        try #require(mkdir(open, 0o777) == 0 && chmod(open, 0o777) == 0)
        let point = try AttachPoint(open + "/mycam")
        await #expect {
            _ = try await point.accept()
        } throws: {
            ($0 as? HostError)?.message.contains("no backend can be waited for") == true
        }
        let file = folder.file("mycam")
        Bench.write("mine", to: file)
        let taken = try AttachPoint(file)
        await #expect(throws: HostError.self) { _ = try await taken.accept() }
        #expect(Bench.read(file) == Array("mine".utf8))
    }

    @Test("A canceled wait ends, and leaves nothing behind")
    func canceled() async throws {
        let folder = try TemporaryFolder()
        let point = try AttachPoint(folder.file("mycam"))
        let waiting = Task { try await point.accept() }
        _ = try await appeared(point.path)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(access(point.path, F_OK) != 0)
    }

    @Test("Restarting a backend ends running requests with the reason, and it serves at once")
    func restarted() async throws {
        let bench = try Bench(
            FakeBackend { device, _, sink in
                for number in 1... { try await device.page(number, sink) }
            })
        let device = try await bench.open("fake:feeder")
        let began = AsyncStream<Void>.makeStream()
        let capture = Task {
            for try await event in device.capture(
                CaptureRequest(), spool: SpoolFolder(path: bench.folder.path), window: 1)
            {
                if case .began = event { began.continuation.yield() }
            }
        }
        for await _ in began.stream { break }
        await bench.host.restart("fake", because: "it was built again")
        await #expect {
            try await capture.value
        } throws: {
            ($0 as? HostError)?.code == .crashed
                && ($0 as? HostError)?.message == "it was built again"
        }
        let listing = await bench.host.listDevices()
        #expect(listing.devices.map(\.id) == ["fake:feeder"] && listing.problems == [])
        await bench.host.shutdown()
    }
}
