import CaptureKit
import ContractSupport
import Glibc
import Processes
import Testing

@testable import CaptureHost

/// Tests backends that crash, hang, lie or flood: each failure becomes an error with the backend's
/// name and advice, and has no other effect.
@Suite struct BadProgramTests {
    @Test("A hanging backend is named and killed, and delays no one else")
    func hang() async throws {
        let scripts = try TemporaryFolder()
        try Bench.install(
            "hello(); print(os.getpid(), flush=True)\nwhile True: take()", id: "bad", in: scripts)
        let bench = try Bench(["good": FakeBackend()]) {
            $0.backendFolders = [scripts.path]
            $0.deadlines.devices = .seconds(8)
        }
        async let all = bench.host.listDevices()
        #expect(try await bench.host.find("good:feeder").id == "good:feeder")
        let listing = await all
        #expect(listing.devices.map(\.id) == ["good:feeder"])
        #expect(listing.problems.map(\.code) == [.hung])
        #expect(
            listing.problems.first?.message.contains("did not answer 'devices' within 8 s")
                == true)
        await bench.host.shutdown()
        let process = try #require(bench.log.lines.compactMap { Int32($0.text) }.first)
        #expect(kill(process, 0) == -1)
    }

    @Test("A backend that ignores a cancel is killed, and its complete pages stay")
    func ignoresCancel() async throws {
        let bench = try Bench(
            script: "c = opened(); page(c, 1); frame(c, 2)\nwhile True: take()"
        ) { $0.deadlines.cancel = .milliseconds(300) }
        let device = try await bench.open("bad:d")
        var pages: [Int] = []
        await #expect {
            for try await event in device.capture(
                CaptureRequest(), spool: SpoolFolder(path: bench.folder.path))
            {
                if case .page(let page) = event { pages.append(page.number) }
                if case .began(page: 2, _) = event {
                    Task { await device.cancelCapture() }
                }
            }
        } throws: { ($0 as? HostError)?.code == .hung }
        #expect(pages == [1])
        await bench.host.shutdown()
    }

    @Test("The next request restarts a crashed backend")
    func respawn() async throws {
        let bench = try Bench(
            script: """
                marker = sys.argv[0] + ".was-here"
                if not os.path.exists(marker):
                    open(marker, "w").close()
                    os.abort()
                opened()
                """)
        let first = await bench.host.listDevices()
        #expect(first.problems.map(\.end) == [.signal(6)])
        let second = await bench.host.listDevices()
        #expect(second.problems == [])
        #expect(second.devices.map(\.id) == ["bad:d"])
        await bench.host.shutdown()
    }

    @Test("A backend that does not exit is killed on shutdown, with its child processes")
    func staysAfterEnd() async throws {
        let bench = try Bench(
            script: """
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                child = os.fork()
                if child == 0:
                    while True: time.sleep(600)
                hello(); answer(take(), devices=[])
                print(os.getpid(), flush=True); print(child, flush=True)
                while True: time.sleep(600)
                """
        ) { $0.deadlines.exit = .milliseconds(100) }
        _ = await bench.host.listDevices()
        await bench.host.shutdown()
        let processes = bench.log.lines.compactMap { Int32($0.text) }
        #expect(processes.count == 2)
        #expect(kill(try #require(processes.first), 0) == -1)
        // The child has no parent until init reaps it, so a zombie counts as ended.
        let state = Bench.read("/proc/\(try #require(processes.last))/stat")
        #expect(state.isEmpty || String(decoding: state, as: UTF8.self).contains(") Z"))
    }

    @Test("A descriptor that a backend sends is closed")
    func strayDescriptor() async throws {
        let bench = try Bench(
            script: """
                hello()
                reading, writing = os.pipe()
                request = take()
                socket.send_fds(host, [b'{"event":"log","message":"look","fd":true}\\n'], [reading])
                os.close(reading)
                answer(request, devices=[])
                request = take()
                signal.signal(signal.SIGPIPE, signal.SIG_IGN)
                try: os.write(writing, b"x"); name = "somebody holds it"
                except BrokenPipeError: name = "nobody holds it"
                answer(request, devices=[{**DEVICE, "name": name}])
                take()
                """)
        _ = await bench.host.listDevices()
        let listing = await bench.host.listDevices()
        #expect(listing.devices.map(\.descriptor.name) == ["nobody holds it"])
        await bench.host.shutdown()
    }

    @Test("A backend inherits its socket and nothing else")
    func inheritsNothing() async throws {
        let bench = try Bench(
            script: """
                hello()
                open_ones = sorted(int(n) for n in os.listdir("/proc/self/fd"))
                answer(take(), devices=[{**DEVICE, "name": " ".join(map(str, open_ones)) + " " + \
                os.readlink("/proc/self/fd/0")
                    + " " + str(os.getpgid(0) == os.getpid())}])
                take()
                """)
        let listing = await bench.host.listDevices()
        // 4 is the listing's own descriptor.
        #expect(listing.devices.map(\.descriptor.name) == ["0 1 2 3 4 /dev/null True"])
        await bench.host.shutdown()
    }

    @Test("A backend's output goes into the log, line by line, without control characters")
    func output() async throws {
        let bench = try Bench(
            script: """
                hello()
                print("one\\ntwo", flush=True); print("three\\x1b[2J", file=sys.stderr, flush=True)
                send({"event": "log", "level": "warning", "message": "four"})
                answer(take(), devices=[])
                take()
                """)
        _ = await bench.host.listDevices()
        await bench.host.shutdown()
        let lines = bench.log.lines
        #expect(lines.map(\.text).sorted() == ["four", "one", "three\u{FFFD}[2J", "two"])
        #expect(lines.first { $0.text == "four" }?.level == "warning")
        #expect(lines.allSatisfy { $0.backend == "bad" })
    }
}
