import CaptureHost
import CaptureKit
import ContractSupport
import Glibc
import Synchronization

/// A host with fake backends and a folder of its own.
struct Bench {
    let folder: TemporaryFolder
    let host: CaptureHost
    let log: LogCollector

    /// A host of a fake in this process.
    init(
        _ backend: any CaptureBackend, _ adjust: (inout HostConfiguration) -> Void = { _ in }
    ) throws {
        try self.init(["fake": backend], adjust)
    }

    /// A host of several fakes in this process.
    init(
        _ backends: [String: any CaptureBackend],
        _ adjust: (inout HostConfiguration) -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        let log = LogCollector()
        self.log = log
        var configuration = HostConfiguration(
            backendFolders: [folder.path], stateFile: folder.file("config/devices.json"))
        configuration.deadlines = .forTests
        configuration.log = { log.add($0) }
        adjust(&configuration)
        host = CaptureHost(configuration, inProcess: backends)
    }

    /// Makes a host with one program, a Python script that begins with ``Bench/prelude``.
    init(
        script: String, more: String = "",
        _ adjust: (inout HostConfiguration) -> Void = { _ in }
    ) throws {
        let scripts = try TemporaryFolder()
        try Bench.install(script, id: "bad", in: scripts, more: more)
        try self.init([:]) {
            $0.backendFolders = [scripts.path]
            adjust(&$0)
        }
        self.scripts = scripts
    }

    private var scripts: TemporaryFolder?

    /// Writes a program and its manifest.
    ///
    /// - Parameter more: further fields of the manifest, with a comma before.
    static func install(
        _ script: String, id: String, in folder: TemporaryFolder, more: String = ""
    ) throws {
        try placeProgram("#!/usr/bin/python3\n" + prelude + script, at: folder.file(id + ".py"))
        write(
            #"{"id":"\#(id)","name":"A bad one","version":"0","protocol":1,"program":"\#(id).py"\#(more)}"#,
            to: folder.file(id + ".json"))
    }

    static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    /// The whole of a file.
    static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    /// Reads and writes messages in Python: `take()` reads a request or event, `send()` and
    /// `answer()` write.
    static let prelude = """
        import json, os, signal, socket, struct, sys, time
        host = socket.socket(fileno=3)
        lines = host.makefile("rb")
        def take():
            line = lines.readline()
            if not line: sys.exit(0)
            return json.loads(line)
        def send(message, data=b""):
            if data: message["bytes"] = len(data)
            host.sendall(json.dumps(message).encode() + b"\\n" + data)
        def answer(request, **result): send({"answer": request["request"], **result})
        DEVICE = {"id": "d", "name": "Bad device", "kind": "scanner"}
        def hello(*capabilities):
            answer(take(), protocol=1, name="bad", version="0", capabilities=list(capabilities))
        def opened(*capabilities):
            hello(*capabilities)
            while True:
                request = take()
                if request["verb"] == "devices": answer(request, devices=[DEVICE])
                elif request["verb"] == "open": answer(request, handle=1)
                elif request["verb"] == "capture": return request["request"]
                else: answer(request)
        def frame(capture, number=1, **more):
            send({"event": "frame", "capture": capture, "frame": number, "format": "gray8",
                  "width": 40, "height": 30, **more})
            return take()
        def page(capture, number):
            frame(capture, number)
            send({"event": "pixels", "capture": capture, "frame": number}, b"p" * 1200)
            send({"event": "done", "capture": capture, "frame": number, "rows": 30})

        """

    /// The results of a capture and its end.
    struct Outcome {
        var pages: [CapturedPage] = []
        var skipped: [(page: Int, label: String?, error: CaptureError)] = []
        var began: [Int] = []
        var progress: [(page: Int, rows: Int)] = []
        var error: (any Error)?
        var hostError: HostError? { error as? HostError }
    }

    /// Captures everything.
    func capture(
        _ device: OpenDevice, _ request: CaptureRequest = CaptureRequest(), window: Int? = nil,
        from number: Int = 1
    ) async -> Outcome {
        var outcome = Outcome()
        let spool = SpoolFolder(path: folder.path, firstNumber: number)
        do {
            for try await event in device.capture(request, spool: spool, window: window) {
                switch event {
                case .began(let page, _): outcome.began.append(page)
                case .progress(let page, let rows): outcome.progress.append((page, rows))
                case .page(let page): outcome.pages.append(page)
                case .skipped(let page, let label, let error):
                    outcome.skipped.append((page, label, error))
                }
            }
        } catch {
            outcome.error = error
        }
        return outcome
    }

    /// Opens a device by its name.
    func open(_ name: String? = nil) async throws -> OpenDevice {
        try await host.open(host.find(name))
    }
}

/// Keeps the lines that backends wrote.
final class LogCollector: Sendable {
    private let state = Mutex<[BackendLogLine]>([])
    func add(_ line: BackendLogLine) { state.withLock { $0.append(line) } }
    var lines: [BackendLogLine] { state.withLock { $0 } }
}
