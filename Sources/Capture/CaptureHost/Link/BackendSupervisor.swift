import BlockingWork
import CaptureKit
import Clocks
import ExpectedFailures
import Processes

/// Keeps one backend running: starts it when it is first needed, and restarts it, after a wait,
/// when it has failed.
actor BackendSupervisor {
    /// How the host reaches a backend.
    enum Transport: Sendable {
        /// A program of its own.
        case program(String)
        /// A program that a developer starts, and that connects to the host.
        case attached(AttachPoint)
        /// A backend in this process, behind the same protocol.
        case inProcess(any CaptureBackend, version: String)
    }

    nonisolated let report: BackendReport
    private let transport: Transport
    private let configuration: HostConfiguration
    private var state = State.idle
    private var failures = 0
    /// The time since the last failure, or since the supervisor was made.
    private var sinceFailure: Stopwatch
    /// The task that waits until the processes of failed links are gone.
    private var ending: Task<Void, Never>?

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
        sinceFailure = Stopwatch(configuration.clock)
    }

    /// The link to the running backend.
    ///
    /// Starts the backend if needed, after a wait if it failed before.
    func link() async throws -> BackendLink {
        switch state {
        case .running(let link):
            guard link.failure != nil else { return link }
            note(link)
        case .starting(let task): return try await task.value
        case .idle: break
        case .stopped:
            throw HostError(.closed, "the capture host was shut down", backend: report.id)
        }
        let delay = configuration.backOff.delay(afterFailures: failures)
        let wait = delay - sinceFailure.elapsed
        let task = Task { [report, transport, configuration] in
            if wait > .zero { try await configuration.clock.sleep(for: wait) }
            return try await BackendSupervisor.start(report, transport, configuration) {
                [weak self] link in
                Task {
                    await self?.forget(link)
                    if let failure = link.failure { configuration.onFailure(report.id, failure) }
                }
            }
        }
        state = .starting(task)
        let result = await task.result
        // The host was shut down in the meantime, so the new process is stopped.
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
            sinceFailure = Stopwatch(configuration.clock)
            throw error
        }
    }

    /// Ends the running program; the next request starts it again, at once.
    ///
    /// - Parameter reason: a sentence for those who use the backend at this moment.
    func restart(_ reason: String) async {
        failures = 0
        guard case .running(let link) = state else { return }
        state = .idle
        await link.stop(HostError(.crashed, reason, backend: report.id))
    }

    /// Stops the backend permanently.
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
        await ending?.value
    }

    /// Releases a failed link, whose socket would otherwise stay open until the backend is next
    /// needed.
    private func forget(_ link: BackendLink) {
        guard case .running(let running) = state, running === link else { return }
        note(link)
        state = .idle
        ending = Task { [ending] in
            await ending?.value
            await link.stop()
        }
    }

    /// Counts the failure of a working link.
    private func note(_ link: BackendLink) {
        failures = link.hasWorked ? 1 : failures + 1
        sinceFailure = Stopwatch(configuration.clock)
    }

    private static func start(
        _ report: BackendReport, _ transport: Transport, _ configuration: HostConfiguration,
        onFailure: @escaping @Sendable (BackendLink) -> Void
    ) async throws -> BackendLink {
        let log = ProcessLog { level, text in
            configuration.log(BackendLogLine(backend: report.id, level: level, text: text))
        }
        let link = try await connect(
            report, transport, configuration: configuration, log: log, onFailure: onFailure)
        do {
            try await link.greet()
            return link
        } catch {
            await link.stop()
            throw error
        }
    }

    private static func connect(
        _ report: BackendReport, _ transport: Transport, configuration: HostConfiguration,
        log: ProcessLog, onFailure: @escaping @Sendable (BackendLink) -> Void
    ) async throws -> BackendLink {
        let ours: OwnedDescriptor
        var process: ChildProcess?
        var deadlines = configuration.deadlines
        switch transport {
        case .program(let path):
            let theirs: OwnedDescriptor
            (ours, theirs) = try socketPair(report)
            process = try await spawn(path, theirs, report: report, log: log)
        case .attached(let point):
            configuration.onWait(
                "Waiting for the backend '\(report.id)'. Start its program with \(AttachPoint.variable)=\(point.path)"
            )
            ours = try await point.accept()
            configuration.onWait("The backend '\(report.id)' has connected.")
            deadlines = .ofDebugger
        case .inProcess(let backend, let version):
            let theirs: OwnedDescriptor
            (ours, theirs) = try socketPair(report)
            let server = BackendServer(
                socket: theirs, name: report.name, version: version, backend: backend)
            startThread("backend-\(report.id)") {
                // The link notices the end of the conversation.
                reportedLater { try server.run() }
            }
        }
        return BackendLink(
            backend: report.id, socket: ours, process: process, log: log,
            deadlines: deadlines, clock: configuration.clock, trace: configuration.trace,
            onChange: { configuration.onDeviceChange(report.id, $0) }, onFailure: onFailure)
    }

    private static func socketPair(
        _ report: BackendReport
    ) throws(HostError) -> (OwnedDescriptor, OwnedDescriptor) {
        do throws(WireError) {
            return try OwnedDescriptor.socketPair()
        } catch {
            throw HostError(.brokenBackend, error.message, backend: report.id)
        }
    }

    private static func spawn(
        _ path: String, _ socket: OwnedDescriptor, report: BackendReport, log: ProcessLog
    ) async throws(HostError) -> ChildProcess {
        do throws(ChildProcess.SpawnFailure) {
            // The start waits for the program to be loaded from the disk.
            return try await onOwnThread { () throws(ChildProcess.SpawnFailure) in
                try ChildProcess(
                    program: path, confinement: report.confinement, socket: socket
                ) { log.add($0) }
            }
        } catch {
            throw HostError(
                .brokenBackend,
                "the program of the backend '\(report.id)' can't be started: \(error.message)",
                backend: report.id)
        }
    }
}
