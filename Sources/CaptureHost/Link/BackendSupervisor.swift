import CaptureKit
import Dispatch

/// Keeps one backend running: starts it when it is first needed, and again, after a while, when it has failed.
actor BackendSupervisor {
    /// How a backend is reached.
    enum Transport: Sendable {
        /// A program of its own.
        case program(String)
        /// A value in this process, behind the same wire.
        case inProcess(any CaptureBackend, version: String)
    }

    nonisolated let report: BackendReport
    private let transport: Transport
    private let configuration: HostConfiguration
    private var state = State.idle
    private var failures = 0
    private var lastFailure = ContinuousClock.now

    private enum State {
        case idle
        case starting(Task<BackendLink, any Error>)
        case running(BackendLink)
        case stopped
    }

    init(_ report: BackendReport, _ transport: Transport, _ configuration: HostConfiguration) {
        self.report = report
        self.transport = transport
        self.configuration = configuration
    }

    /// The running backend; started if need be, which waits when it failed before.
    func link() async throws -> BackendLink {
        switch state {
        case .running(let link):
            guard link.failure != nil else { return link }
            failures = link.hasWorked ? 1 : failures + 1
            lastFailure = .now
        case .starting(let task): return try await task.value
        case .idle: break
        case .stopped:
            throw HostError(.closed, "the capture host was shut down", backend: report.id)
        }
        let delay = configuration.backOff.delay(afterFailures: failures)
        let wait = delay - (ContinuousClock.now - lastFailure)
        let task = Task { [report, transport, configuration] in
            if wait > .zero { try await Task.sleep(for: wait) }
            return try await BackendSupervisor.start(report, transport, configuration)
        }
        state = .starting(task)
        let result = await task.result
        // Shut down in the meantime: what was started goes again.
        guard case .starting = state else {
            if case .success(let link) = result { await link.stop() }
            throw HostError(.closed, "the capture host was shut down", backend: report.id)
        }
        switch result {
        case .success(let link):
            state = .running(link)
            return link
        case .failure(let error):
            state = .idle
            failures += 1
            lastFailure = .now
            throw error
        }
    }

    /// Stops the backend for good.
    func stop() async {
        let before = state
        state = .stopped
        switch before {
        case .running(let link): await link.stop()
        case .starting(let task):
            task.cancel()
            _ = await task.result
        case .idle, .stopped: break
        }
    }

    private static func start(
        _ report: BackendReport, _ transport: Transport, _ configuration: HostConfiguration
    ) async throws -> BackendLink {
        let log = BackendLog(backend: report.id, write: configuration.log)
        let link = try await connect(report, transport, configuration, log)
        do {
            try await link.greet()
            return link
        } catch {
            await link.stop()
            throw error
        }
    }

    private static func connect(
        _ report: BackendReport, _ transport: Transport, _ configuration: HostConfiguration,
        _ log: BackendLog
    ) async throws -> BackendLink {
        let ours: OwnedDescriptor
        let theirs: OwnedDescriptor
        do throws(WireError) {
            (ours, theirs) = try OwnedDescriptor.socketPair()
        } catch {
            throw HostError(.brokenBackend, error.message, backend: report.id)
        }
        var process: BackendProcess?
        switch transport {
        case .program(let path):
            process = try await spawn(path, theirs, report, log)
        case .inProcess(let backend, let version):
            let server = BackendServer(
                socket: theirs, name: report.name, version: version, backend: backend)
            startThread("backend-\(report.id)") { try? server.run() }
        }
        return BackendLink(
            backend: report.id, socket: ours, process: process, log: log,
            deadlines: configuration.deadlines, trace: configuration.trace,
            onChange: { configuration.onDeviceChange(report.id, $0) })
    }

    private static func spawn(
        _ path: String, _ socket: OwnedDescriptor, _ report: BackendReport, _ log: BackendLog
    ) async throws -> BackendProcess {
        try await withCheckedThrowingContinuation { continuation in
            // posix_spawn waits for the program to be loaded from the disk.
            DispatchQueue.global().async {
                do throws(BackendProcess.SpawnFailure) {
                    let process = try BackendProcess(program: path, socket: socket) { log.add($0) }
                    continuation.resume(returning: process)
                } catch {
                    continuation.resume(
                        throwing: HostError(
                            .brokenBackend,
                            "the program of the backend '\(report.id)' can't be started: \(error.message)",
                            backend: report.id))
                }
            }
        }
    }
}
