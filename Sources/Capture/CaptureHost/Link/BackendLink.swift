import BlockingWork
import CaptureKit
import Glibc
import Processes
import Synchronization

/// A running backend and the connection to it: sends requests, passes on answers and events, and
/// stops the backend when it misbehaves.
///
/// One thread reads the backend's messages. The first failure ends the link: every request and
/// capture fails with that error.
final class BackendLink: Sendable {
    let backend: String
    let deadlines: Deadlines
    let clock: any Clock<Duration>
    private let socket: OwnedDescriptor
    private let writer: WireWriter
    private let process: ChildProcess?
    private let log: ProcessLog
    private let trace: (@Sendable (TracedMessage) -> Void)?
    private let onChange: @Sendable (DeviceChange) -> Void
    private let onFailure: @Sendable (BackendLink) -> Void
    private let state = Mutex(State())
    /// Options that changed by themselves and were not read since.
    let optionChanges = Mutex(OptionChanges())

    private struct State {
        var nextRequest = 1
        var pending: [Int: Pending] = [:]
        var sessions: [Int: any LinkedCapture] = [:]
        var failure: HostError?
        var isStopping = false
        var capabilities: Set<String> = []
        var hasWorked = false
        var flood = LeakyBucket(capacity: 10_000, perSecond: 1000)
    }

    private struct Requester {
        let continuation: CheckedContinuation<WireLine, any Error>
        let onEnd: @Sendable (Result<WireLine, any Error>) -> Void

        func resume(with result: Result<WireLine, any Error>) {
            onEnd(result)
            continuation.resume(with: result)
        }
    }

    private enum Pending {
        case waiting(Requester, Verb)
        /// The requester is gone, or it is a capture, which its session waits for.
        case unawaited(Verb)
    }

    init(
        backend: String, socket: OwnedDescriptor, process: ChildProcess?, log: ProcessLog,
        deadlines: Deadlines, clock: any Clock<Duration> = ContinuousClock(),
        trace: (@Sendable (TracedMessage) -> Void)? = nil,
        onChange: @escaping @Sendable (DeviceChange) -> Void,
        onFailure: @escaping @Sendable (BackendLink) -> Void = { _ in }
    ) {
        self.backend = backend
        self.socket = socket
        self.process = process
        self.log = log
        self.deadlines = deadlines
        self.clock = clock
        self.trace = trace
        self.onChange = onChange
        self.onFailure = onFailure
        // No task waits for the writer; the deadlines notice a backend that no longer reads.
        writer = WireWriter(
            socket: socket, timeout: 30,
            onLine: trace.map { TracedMessage.sending(to: backend, $0) })
        startThread("backend-reader") { self.readEverything() }
    }

    /// The reason why the link has ended; nil while it is up.
    var failure: HostError? { state.withLock { $0.failure } }
    /// True once a request beyond `hello` has succeeded.
    var hasWorked: Bool { state.withLock { $0.hasWorked } }
    /// True when the backend accepts a file descriptor as a buffer.
    var takesDescriptors: Bool { has(Wire.HelloAnswer.descriptors) }
    /// True when the backend can begin a page at an offset that the host gives.
    var takesOffsets: Bool { has(Wire.HelloAnswer.offsets) }

    private func has(_ capability: String) -> Bool {
        state.withLock { $0.capabilities.contains(capability) }
    }

    // MARK: Requests

    /// Sends `hello` and checks that the backend speaks this protocol.
    func greet() async throws {
        let line = try await request(
            .hello, Wire.Hello(protocol: captureProtocolVersion, host: "copystand"),
            deadline: deadlines.hello)
        let answer = try decode(Wire.HelloAnswer.self, line)
        guard answer.protocol == captureProtocolVersion else {
            let isNewer = answer.protocol > captureProtocolVersion
            let error = HostError(
                isNewer ? .newerProtocol : .nonsense,
                "the backend '\(backend)' speaks protocol \(answer.protocol), this host speaks \(captureProtocolVersion)",
                backend: backend)
            fail(error)
            throw error
        }
        state.withLock { $0.capabilities = Set(answer.capabilities ?? []) }
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameter onEnd: gets the answer, or the error that is thrown, before anything that the
    ///   backend sent after it is handled; called once, from any thread, which it must not block.
    /// - Throws: ``HostError`` with the backend's error, or the reason for its end;
    ///   `CancellationError` when the task is canceled.
    func request(
        _ verb: Verb, _ body: some Encodable & Sendable, deadline: Duration,
        onEnd: @escaping @Sendable (Result<WireLine, any Error>) -> Void = { _ in }
    ) async throws -> WireLine {
        let id = nextRequest()
        let timer = Task { [self] in
            try await clock.sleep(for: deadline)
            fail(hang("did not answer '\(verb.rawValue)' within \(deadline.words)"))
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let requester = Requester(continuation: continuation, onEnd: onEnd)
                let failure = state.withLock { state in
                    if state.failure == nil { state.pending[id] = .waiting(requester, verb) }
                    return state.failure
                }
                if let failure { return requester.resume(with: .failure(failure)) }
                transmit(WireHeader(request: id, verb: verb), body)
                // The task was canceled before the request was noted, so the handler found nothing
                // to abandon.
                if Task.isCancelled { abandon(id) }
            }
        } onCancel: {
            abandon(id)
        }
    }

    /// Reads an answer's fields; an answer that lacks one ends the link.
    func decode<Body: Decodable>(_ type: Body.Type, _ line: WireLine) throws -> Body {
        do throws(WireError) {
            return try line.decode(type)
        } catch {
            let error = nonsense("sent an answer that can't be read: \(error.message)")
            fail(error)
            throw error
        }
    }

    /// Starts a capture; its session gets the events and the answer.
    func start(_ session: any LinkedCapture, _ body: Wire.Capture) {
        let failure = state.withLock { state in
            if state.failure == nil {
                state.sessions[session.id] = session
                state.pending[session.id] = .unawaited(.capture)
            }
            return state.failure
        }
        if let failure { return session.end(.failure(failure)) }
        transmit(WireHeader(request: session.id, verb: .capture), body)
    }

    /// The number of the next request.
    func nextRequest() -> Int {
        state.withLock { state in
            defer { state.nextRequest += 1 }
            return state.nextRequest
        }
    }

    /// Sends a message; a failure to send ends the link.
    func transmit(
        _ header: WireHeader, _ body: some Encodable, descriptor: OwnedDescriptor? = nil
    ) {
        do throws(WireError) {
            try writer.send(header, body, descriptor: descriptor)
        } catch {
            fail(HostError(.invalidValue, error.message, backend: backend))
        }
    }

    private func abandon(_ id: Int) {
        let requester = state.withLock { state -> Requester? in
            guard case .waiting(let requester, let verb) = state.pending[id] else { return nil }
            state.pending[id] = .unawaited(verb)
            return requester
        }
        requester?.resume(with: .failure(CancellationError()))
    }

    // MARK: The end

    /// Ends the link unless it has ended before: kills the process, and everything that waits gets
    /// `error`.
    func fail(_ error: HostError) {
        let ended = state.withLock { state -> ([Pending], [any LinkedCapture])? in
            guard state.failure == nil else { return nil }
            state.failure = error
            defer {
                state.pending = [:]
                state.sessions = [:]
            }
            return (Array(state.pending.values), Array(state.sessions.values))
        }
        guard let (waiting, sessions) = ended else { return }
        process?.signal(SIGKILL)
        shutdown(socket.raw, Int32(SHUT_RDWR))
        for case .waiting(let requester, _) in waiting { requester.resume(with: .failure(error)) }
        for session in sessions { session.end(.failure(error)) }
        guard error.code != .closed else { return }
        // No task may be waiting for the failure, because a closed device requests nothing more.
        log.add(error.message, level: "error")
        onFailure(self)
    }

    /// Closes the connection and waits until the process has ended; kills a process that takes too
    /// long.
    ///
    /// - Parameter reason: the error for those who still use the link; by default that it was shut
    ///   down.
    func stop(_ reason: HostError? = nil) async {
        state.withLock { $0.isStopping = true }
        await writer.drain()
        shutdown(socket.raw, Int32(SHUT_RDWR))
        if let process {
            await onOwnThread { [deadlines] in process.stop(patience: deadlines.exit) }
        }
        fail(
            reason
                ?? HostError(.closed, "the backend '\(backend)' was shut down", backend: backend))
    }

    func nonsense(_ what: String) -> HostError {
        HostError(.nonsense, "the backend '\(backend)' \(what)", backend: backend)
    }

    func hang(_ what: String) -> HostError {
        HostError(.hung, "the backend '\(backend)' \(what) and was stopped", backend: backend)
    }

    // MARK: Reading

    private func readEverything() {
        let reader = WireReader(socket: socket, acceptsDescriptors: false)
        do {
            while let line = try reader.next() {
                trace?(TracedMessage(from: backend, line))
                try handle(line, reader)
            }
            connectionEnded(nil)
        } catch let error as HostError {
            fail(error)
        } catch let error as WireError {
            if error.code == .cutOff || error.code == .inputOutput {
                connectionEnded(error)
            } else {
                fail(nonsense("sent a message that \(error.message)"))
            }
        } catch {
            fail(nonsense("sent a message that can't be handled: \(error)"))
        }
    }

    /// Handles a connection that the backend has closed: reports how its process ended.
    private func connectionEnded(_ error: WireError?) {
        let isStopping = state.withLock { $0.isStopping || $0.failure != nil }
        if isStopping { return }
        guard let process else {
            return fail(
                HostError(
                    .crashed, "the backend '\(backend)' closed its connection", backend: backend))
        }
        var end = process.waitForEnd(deadlines.exit)
        let wasAlive = end == nil
        if wasAlive {
            process.signal(SIGKILL)
            end = process.waitForEnd(.seconds(5))
        }
        let what = wasAlive ? "closed its connection" : end?.sentence ?? "ended"
        let memory = process.memoryUsed.map { " after using \($0)" } ?? ""
        let words = log.lastWords.map { "; its last output: \($0.prefix(300))" } ?? ""
        fail(
            HostError(
                .crashed, "the backend '\(backend)' \(what)\(memory)\(words)", backend: backend,
                end: wasAlive ? nil : end))
    }

    private func handle(_ line: WireLine, _ reader: WireReader) throws {
        if let id = line.header.answer { return try answer(id, line) }
        guard let name = line.header.event else {
            throw nonsense("sent a request, which only the host may")
        }
        switch EventName(rawValue: name) {
        case .source, .frame, .pixels, .text, .progress, .done, .skipped:
            let capture = try line.decode(Wire.CaptureReference.self).capture
            guard let session = state.withLock({ $0.sessions[capture] }) else {
                throw nonsense("sent '\(name)' for capture \(capture), which is not running")
            }
            if try session.handle(line, reader) == .idle { try count() }
        case .reading:
            let reading = try line.decode(Wire.Reading.self)
            guard let session = state.withLock({ $0.sessions[reading.capture] }) else {
                throw nonsense(
                    "sent 'reading' for capture \(reading.capture), which is not running")
            }
            if try session.read(reading.place) == .idle { try count() }
        case .deviceAdded, .deviceChanged:
            try count()
            let device = try line.decode(Wire.DeviceAdded.self).device
            if let fault = DeviceRules.fault(device) {
                throw nonsense("announced a device whose \(fault)")
            }
            onChange(name == EventName.deviceAdded.rawValue ? .added(device) : .changed(device))
        case .deviceRemoved:
            try count()
            onChange(.removed(try line.decode(Wire.DeviceRemoved.self).id))
        case .optionChanged:
            try count()
            try optionChanged(try line.decode(Wire.OptionChanged.self))
        case .log:
            try count()
            let entry = try line.decode(Wire.Log.self)
            log.add(entry.message, level: entry.level)
        case .buffer, .refused: throw nonsense("sent '\(name)', which only the host may")
        case nil: try count()
        }
    }

    private func answer(_ id: Int, _ line: WireLine) throws {
        let (pending, session) = state.withLock { state in
            (state.pending.removeValue(forKey: id), state.sessions.removeValue(forKey: id))
        }
        let error = line.header.error.map { HostError($0, backend: backend) }
        if error == nil {
            state.withLock { state in
                if case .waiting(_, .hello) = pending { return }
                state.hasWorked = true
            }
        }
        session?.end(error.map { .failure($0) } ?? .success(()))
        switch pending {
        case .waiting(let requester, _):
            requester.resume(with: error.map { .failure($0) } ?? .success(line))
        case .unawaited: break
        case nil: throw nonsense("answered request \(id), which was not waiting for an answer")
        }
    }

    /// Counts a message that makes no progress.
    private func count() throws {
        guard state.withLock({ $0.flood.add(at: .now) }) else {
            throw nonsense("floods the host with messages")
        }
    }
}

extension Duration {
    /// The duration for people, such as "5 s" or "0.3 s".
    var words: String {
        let tenths = (nanoseconds + 50_000_000) / 100_000_000
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
