import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Processes
import Testing

@testable import CaptureHost

/// Tests that a backend ends when certain other processes die.
@Suite struct DeathTests {
    private let place = runningExecutable().map(parentFolder) ?? "."

    /// Waits until the condition holds, for as long as a busy machine may take.
    private func eventually(_ what: () -> Bool) async throws -> Bool {
        for _ in 0..<6000 {
            if what() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    private func isGone(_ process: pid_t) -> Bool {
        let state = String(decoding: Bench.read("/proc/\(process)/stat"), as: UTF8.self)
        return state.isEmpty || state.contains(") Z")
    }

    /// Starts a host that proceeds to `verb` with `program`.
    ///
    /// Kills it when the file `state/id` names the backend's process, and waits until that process
    /// has ended.
    private func killHost(of program: String, at verb: String, in folder: TemporaryFolder)
        async throws
    {
        for name in ["good", "bad", "state"] { mkdir(folder.file(name), 0o700) }
        try placeProgram("#!/usr/bin/python3\n" + program, at: folder.file("bad.py"))
        for (id, path) in [("bad", "bad.py"), ("good", place + "/copystand-backend-fake")] {
            Bench.write(
                #"{"id":"\#(id)","name":"One","version":"0","protocol":1,"program":"\#(path)"}"#,
                to: folder.file(id + ".json"))
        }
        let trial = HostileTrial(
            folder: folder.path, verb: verb, isLive: false, limit: nil, deadline: nil,
            mark: "unused")
        try JSONEncoder().encode(trial).write(to: URL(filePath: folder.file("state/trial")))
        let shell = try #require(
            popen(
                "'\(place)/hostile-host-for-tests' '\(folder.file("state/trial"))' >/dev/null 2>&1 & echo $!",
                "re"))
        var text = [CChar](repeating: 0, count: 20)
        fgets(&text, Int32(text.count), shell)
        pclose(shell)
        let host = pid_t(atoi(text))
        try #require(host > 1)
        #expect(try await eventually { access(folder.file("state/id"), F_OK) == 0 })
        let id = String(decoding: Bench.read(folder.file("state/id")), as: UTF8.self)
        let backend = try #require(pid_t(id))
        #expect(!isGone(backend))
        kill(host, SIGKILL)
        #expect(try await eventually { isGone(backend) })
    }

    /// `ready()` writes the file for which the test waits.
    private static let ready = """
        import os, sys
        state = os.path.dirname(os.path.abspath(sys.argv[0])) + "/state/"
        def ready():
            with open(state + "new", "w") as file: file.write(str(os.getpid()))
            os.rename(state + "new", state + "id")

        """

    @Test("When the host is killed, a backend that ignores the closed connection ends too")
    func hostKilled() async throws {
        try await killHost(
            of: Self.ready + Bench.prelude + "hello(); take(); ready(); time.sleep(600)",
            at: "devices", in: TemporaryFolder())
    }

    @Test("When the host is killed, a backend can reset its device before it ends")
    func inOrder() async throws {
        let folder = try TemporaryFolder()
        let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
        let program = """
            \(Self.ready)
            sys.path.insert(0, "\(root)/Examples/python")
            sys.dont_write_bytecode = True
            import time, copystand_backend as copystand
            class Device(copystand.Device):
                def capture(self, sink, mode, limit): ready(); sink.sleep(600)
                def close(self): time.sleep(0.3); open(state + "closed", "w").close()
            class Backend(copystand.Backend):
                def devices(self, quick): return [copystand.device("d", "Device", "scanner")]
                def open(self, id): return Device()
            copystand.run(Backend("Orderly", "1"))
            """
        try await killHost(of: program, at: "capture", in: folder)
        #expect(access(folder.file("state/closed"), F_OK) == 0)
    }

    @Test("A backend outlives the thread that requested it")
    func threadGone() async throws {
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        let program = place + "/copystand-backend-fake"
        let (process, thread) = await withCheckedContinuation { continuation in
            startThread("asks-for-it") {
                let process = try? ChildProcess(program: program, socket: theirs) { _ in }
                var place = [UInt8](repeating: 0, count: 64)
                let count = readlink("/proc/thread-self", &place, place.count)
                let thread = String(decoding: place.prefix(max(0, count)), as: UTF8.self)
                continuation.resume(returning: (process, thread))
            }
        }
        #expect(try await eventually { access("/proc/" + thread, F_OK) != 0 })
        let hello = "{\"request\":1,\"verb\":\"hello\",\"protocol\":1,\"host\":\"h\"}\n"
        _ = send(ours.raw, hello, hello.utf8.count, Int32(MSG_NOSIGNAL))
        let reader = WireReader(socket: ours, acceptsDescriptors: false)
        #expect(try reader.next()?.header.answer == 1)
        try #require(process).stop(patience: Duration.zero)
    }

    @Test("A backend that ignores signals ends when its host ends at once, before its hello")
    func deaf() async throws {
        let folder = try TemporaryFolder()
        let program = folder.file("deaf.py")
        try placeProgram(
            """
            #!/usr/bin/python3
            import signal, time
            for one in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT): signal.signal(one, signal.SIG_IGN)
            open("\(folder.file("ready"))", "w").close()
            time.sleep(600)
            """, at: program)
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        let process = try ChildProcess(program: program, socket: theirs) { _ in }
        defer { process.stop(patience: .zero) }
        #expect(try await eventually { access(folder.file("ready"), F_OK) == 0 })
        let id = process.id
        ChildProcess.endAll { $0 == id }
        #expect(try await eventually { process.end != nil })
        #expect(process.end == .signal(Int(SIGKILL)))
        withExtendedLifetime(ours) {}
    }
}
