import CaptureKit
import ContractSupport
import Glibc
import Testing

@testable import CaptureHost

/// Backends that crash, hang, lie or babble: each becomes an error that names it and says what to do, and never more.
@Suite struct BadProgramTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let script: String
        let code: HostError.Code
        let words: String
        var end: ProcessEnd?
        var pages: [Int] = []
        var testDescription: String { name }
    }

    static let atStart: [Row] = [
        Row(
            name: "crashes at hello", script: "os.kill(os.getpid(), signal.SIGSEGV)",
            code: .crashed, words: "signal 11 (segmentation fault)", end: .signal(11)),
        Row(
            name: "exits with status 3",
            script: "take(); print('no firmware', file=sys.stderr); sys.exit(3)", code: .crashed,
            words: "exited with status 3; its last words: no firmware", end: .status(3)),
        Row(
            name: "sends garbage", script: "take(); host.sendall(os.urandom(500) + b'\\n'); take()",
            code: .nonsense, words: "is no JSON"),
        Row(
            name: "sends a line without an end",
            script: "take(); host.sendall(b'x' * (3 << 20)); take()", code: .nonsense,
            words: "longer than 1048576 bytes"),
        Row(
            name: "speaks a newer protocol",
            script: "answer(take(), protocol=2, name='new', version='9'); take()",
            code: .newerProtocol, words: "speaks protocol 2, this host speaks 1"),
        Row(
            name: "answers hello with something else",
            script: "answer(take(), colour='red'); take()",
            code: .nonsense, words: "lacks \"protocol\""),
        Row(
            name: "answers what was not asked", script: "take(); send({'answer': 99}); take()",
            code: .nonsense, words: "answered request 99"),
        Row(
            name: "sends a request",
            script: "take(); send({'request': 1, 'verb': 'hello'}); take()",
            code: .nonsense, words: "only the host may"),
        Row(
            name: "announces 2 GB after a line",
            script: "take(); send({'event': 'log', 'message': 'm', 'bytes': 2 << 30}); take()",
            code: .nonsense, words: "announces 2147483648 bytes"),
        Row(
            name: "announces a negative number of bytes",
            script: "take(); send({'event': 'log', 'message': 'm', 'bytes': -1}); take()",
            code: .nonsense, words: "announces -1 bytes"),
        Row(
            name: "goes away within a line",
            script: "take(); host.sendall(b'{\"answ'); sys.exit(0)",
            code: .crashed, words: "exited with status 0", end: .status(0)),
        Row(
            name: "closes the connection and stays",
            script:
                "lines.close(); host.close(); os.close(3) if os.path.exists('/proc/self/fd/3') else 0; time.sleep(600)",
            code: .crashed, words: "closed its connection"),
        Row(
            name: "lists a device twice",
            script: "hello(); answer(take(), devices=[DEVICE, DEVICE]); take()", code: .nonsense,
            words: "comes twice"),
        Row(
            name: "lists a device with a control character",
            script: "hello(); answer(take(), devices=[{**DEVICE, 'name': 'a\\u001b[2J'}]); take()",
            code: .nonsense, words: "control characters"),
        Row(
            name: "floods the host",
            script:
                "hello()\nblock = json.dumps({'event': 'x'}).encode() + b'\\n'\nwhile True: host.sendall(block * 1000)",
            code: .nonsense, words: "floods"),
        Row(
            name: "answers with an error without a message",
            script:
                "hello(); send({'answer': take()['request'], 'error': {'code': 'busy'}}); take()",
            code: .nonsense, words: "lacks \"error.message\""),
    ]

    @Test("a backend that misbehaves when asked for its devices", arguments: atStart)
    func start(_ row: Row) async throws {
        let bench = try Bench(script: row.script) {
            // Only the one that stays is waited for in vain.
            if row.end == nil { $0.deadlines.exit = .milliseconds(500) }
        }
        let listing = await bench.host.listDevices()
        let problem = try #require(listing.problems.first)
        #expect(problem.code == row.code)
        #expect(problem.message.contains(row.words), "\(problem.message)")
        #expect(problem.message.contains("'bad'"))
        #expect(problem.backend == "bad")
        #expect(problem.end == row.end)
        #expect(problem.advice != nil)
        await bench.host.shutdown()
    }

    static let capturing: [Row] = [
        Row(
            name: "dies in the middle of a page",
            script:
                "c = opened(); page(c, 1); frame(c, 2); send({'event': 'pixels', 'capture': c, 'frame': 2}, b'x' * 400); sys.exit(7)",
            code: .crashed, words: "exited with status 7", end: .status(7), pages: [1]),
        Row(
            name: "is killed between two pages",
            script: "c = opened(); page(c, 1); page(c, 2); os.kill(os.getpid(), signal.SIGKILL)",
            code: .crashed, words: "signal 9", end: .signal(9), pages: [1, 2]),
        Row(
            name: "claims 100 MB and sends 2 kB",
            script: """
                c = opened(); frame(c, width=10000, height=10000)
                send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 2000)
                send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 10000}); take()
                """, code: .tornPage, words: "2000 of 100000000 bytes"),
        Row(
            name: "ends a page early",
            script:
                "c = opened(); frame(c); send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 29}); take()",
            code: .tornPage, words: "29 of 30 rows"),
        Row(
            name: "announces an impossible stride",
            script: "c = opened(); page(c, 1); frame(c, 2, stride=39)", code: .nonsense,
            words: "stride 39 is below the 40 bytes", pages: [1]),
        Row(
            name: "announces an overflowing size",
            script: "c = opened(); frame(c, width=9223372036854775807)", code: .nonsense,
            words: "width 9223372036854775807"),
        Row(
            name: "announces no such format", script: "c = opened(); frame(c, format='cmyk')",
            code: .nonsense, words: "format"),
        Row(
            name: "sends more bytes than the frame has",
            script:
                "c = opened(); frame(c); send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 1201); take()",
            code: .nonsense, words: "more than the 1200 bytes"),
        Row(
            name: "sends pixels of a frame that has no buffer",
            script:
                "c = opened(); send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x'); take()",
            code: .nonsense, words: "has no buffer"),
        Row(
            name: "sends a frame of a capture that does not run",
            script: "c = opened(); frame(c + 1)", code: .nonsense, words: "does not run"),
        Row(
            name: "sends pages out of turn", script: "c = opened(); frame(c, 5)", code: .nonsense,
            words: "out of turn"),
        Row(
            name: "sends more pages than were asked for",
            script: "c = opened()\nfor n in range(1, 9): page(c, n)", code: .nonsense,
            words: "one more than was asked for", pages: [1, 2, 3]),
        Row(
            name: "skips a page without saying why",
            script: "c = opened(); send({'event': 'skipped', 'capture': c, 'frame': 1}); take()",
            code: .nonsense, words: "without saying why"),
        Row(
            name: "claims more rows than the frame has",
            script:
                "c = opened('descriptors'); frame(c); send({'event': 'progress', 'capture': c, 'frame': 1, 'rows': 31}); take()",
            code: .nonsense, words: "claims 31 rows"),
        Row(
            name: "cuts the host's file short",
            script: """
                c = opened('descriptors')
                send({"event": "frame", "capture": c, "frame": 1, "format": "gray8", "width": 40, "height": 30})
                data, fds, _, _ = socket.recv_fds(host, 65536, 4)
                os.ftruncate(fds[0], 10)
                send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 30}); take()
                """, code: .tornPage, words: "10 of 1200 bytes"),
        Row(
            name: "ends the capture within a page",
            script: "c = opened(); frame(c); send({'answer': c}); take()", code: .tornPage,
            words: "never finished"),
        Row(
            name: "hangs in the middle of a page",
            script: "c = opened(); page(c, 1); frame(c, 2)\nwhile True: take()", code: .hung,
            words: "sent nothing for 3 s", pages: [1]),
        Row(
            name: "babbles instead of capturing",
            script: """
                c = opened('descriptors'); frame(c)
                while True: send({'event': 'progress', 'capture': c, 'frame': 1, 'rows': 3}); time.sleep(0.01)
                """, code: .hung, words: "sent nothing for 3 s"),
        Row(
            name: "sends an original of a bad media type",
            script: """
                c = opened(); frame(c)
                send({'event': 'pixels', 'capture': c, 'frame': 1}, b'x' * 1200)
                send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 30, 'mediaType': '../x y'}, b'jpeg'); take()
                """, code: .nonsense, words: "media type"),
    ]

    @Test("a backend that misbehaves during a capture keeps its good pages", arguments: capturing)
    func capture(_ row: Row) async throws {
        let bench = try Bench(script: row.script) {
            if row.code == .hung { $0.deadlines.progress = .seconds(3) }
        }
        let device = try await bench.open("bad:d")
        let outcome = await bench.capture(device, CaptureRequest(limit: 3))
        let error = try #require(outcome.hostError)
        #expect(error.code == row.code)
        #expect(error.message.contains(row.words), "\(error.message)")
        #expect(error.message.contains("'bad'") || error.code == .tornPage)
        #expect(error.end == row.end)
        #expect(outcome.pages.map(\.number) == row.pages)
        for page in outcome.pages { #expect(Bench.read(page.pixels).count == 1200) }
        let files = bench.folder.names().filter { $0.hasPrefix("page") }
        #expect(files == row.pages.flatMap { ["page-000\($0).json", "page-000\($0).raw"] })
        await bench.host.shutdown()
    }

    @Test("a backend that hangs is named, killed, and delays nobody else")
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

    @Test("a backend that ignores a cancel is killed, its whole pages stay")
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

    @Test("a backend that crashed is started afresh by the next request")
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

    @Test("a backend that does not go is killed on shutdown, with what it has started")
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
        // The child is nobody's until init reaps it, so a zombie counts as gone.
        let state = Bench.read("/proc/\(try #require(processes.last))/stat")
        #expect(state.isEmpty || String(decoding: state, as: UTF8.self).contains(") Z"))
    }

    @Test("a descriptor that a backend sends is closed")
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

    @Test("a backend inherits its socket and nothing else")
    func inheritsNothing() async throws {
        let bench = try Bench(
            script: """
                hello()
                open_ones = sorted(int(n) for n in os.listdir("/proc/self/fd"))
                answer(take(), devices=[{**DEVICE, "name": " ".join(map(str, open_ones)) + " " + os.readlink("/proc/self/fd/0")
                    + " " + str(os.getpgid(0) == os.getpid())}])
                take()
                """)
        let listing = await bench.host.listDevices()
        // 4 is the listing's own descriptor.
        #expect(listing.devices.map(\.descriptor.name) == ["0 1 2 3 4 /dev/null True"])
        await bench.host.shutdown()
    }

    @Test("what a backend writes goes into the log, line by line, without control characters")
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
