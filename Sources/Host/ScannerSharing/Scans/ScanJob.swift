import CaptureHost
import CaptureKit
import Clocks
import ESCL
import FoundationEssentials
import HTTPServer
import ScanService
import Synchronization

/// A scan that a client ordered: captures, encodes, and keeps a few documents until they are
/// fetched.
final class ScanJob: Sendable {
    /// The answer to a client that asks for the next document.
    enum Next: Sendable {
        case document(ScannedDocument)
        /// There is no document, and there will be none.
        case over
        /// There is no document yet; the client should ask again.
        case later
        case failed(HostError)
    }

    /// How the job ended.
    enum End: Sendable {
        case whole, cancelled, forgotten
        case failed(HostError)

        /// The reason why the job failed; nil if it did not.
        var failure: HostError? {
            if case .failed(let error) = self { error } else { nil }
        }
    }

    private struct State {
        var ready: [ScannedDocument] = []
        var fetchedPages = 0
        var last: ScannedDocument?
        var end: End?
        /// The number of requests that wait for a document.
        var held = 0
        /// The time since the client last asked for something.
        var sinceAsked: Stopwatch
        /// True if another job has the device.
        var isWaiting = false
        /// The time that the client may take for the last document.
        var allowance: Duration
    }

    let id: String
    let path: String
    let plan: ScanPlan
    /// The address that began the job.
    let peer: PeerAddress
    /// The client to which the job belongs.
    var client: String { peer.client }
    private let control = ScanControl()
    private let signal: Signal
    private let limits: Limits
    private let state: Mutex<State>

    /// The maximum waits of a job.
    struct Limits: Sendable {
        /// The maximum time that a request for a document may wait; SANE's own driver treats a
        /// refusal as the end.
        var hold = Duration.seconds(25)
        /// The time without a client's request after which the device is released.
        var idle = Duration.seconds(30)
        /// The time that a job waits for a device that another job has.
        var busy = Duration.seconds(60)
        /// The time between two attempts to open a device that another job has.
        var interval = Duration.milliseconds(500)
        /// The slowest pace at which a document is assumed to be fetched, in bytes a second.
        var pace = 1 << 20
        /// The clock of all these times.
        var clock: any Clock<Duration> = ContinuousClock()
    }

    /// The maximum number of documents that wait to be fetched; then the device waits, too.
    private static let mostReady = 3

    init(id: String, path: String, plan: ScanPlan, peer: PeerAddress, limits: Limits) {
        (self.id, self.path, self.plan, self.peer) = (id, path, plan, peer)
        self.limits = limits
        signal = Signal(clock: limits.clock)
        state = Mutex(
            State(sinceAsked: Stopwatch(limits.clock), allowance: limits.idle))
    }

    // MARK: The capture

    /// Captures from the device until its end, a cancellation, or the disappearance of the client.
    ///
    /// - Returns: the end of the capture, which the client learns only by ``end(_:)``.
    func run(
        _ service: ScanService, _ host: CaptureHost, _ share: SharingSettings.Share
    ) async -> End {
        let watch = Task { await forgetWhenIdle() }
        defer { watch.cancel() }
        do {
            let folder = try TemporarySpool()
            try await capture(service, host, share, through: folder.path)
            withExtendedLifetime(folder) {}
            return .whole
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .failed(
                error as? HostError ?? HostError(HostError.Code(.internalFault), "\(error)"))
        }
    }

    private func capture(
        _ service: ScanService, _ host: CaptureHost, _ share: SharingSettings.Share,
        through folder: String
    ) async throws {
        let service = service.claiming(as: "a scan from \(peer.text)")
        let encoder = try PageEncoder(plan, share, service, in: folder)
        let take: @Sendable (CapturedPage) async throws -> Void = { [self] page in
            state.withLock { $0.isWaiting = false }
            for document in try await encoder.encode(page) { try await put(document) }
        }
        do {
            try await whenFree {
                // The device is checked before it is opened, because opening would disturb its
                // current user.
                try service.checkFree(share.device)
                let listed = try await host.find(share.device, opens: true)
                guard listed.descriptor.kind == .scanner else {
                    await host.release(listed)
                    let page = try await PhotographedPage(
                        service: service, plan: plan, profile: share.profile ?? "document"
                    ).capture(listed, through: folder, control: control)
                    defer { page.discard() }
                    return try await take(page)
                }
                try await service.pass(
                    from: listed, plan.settings, limit: plan.limit, through: folder,
                    control: control, take: take)
            }
            if let document = try await encoder.finish() { try await put(document) }
        } catch {
            await encoder.cancel()
            throw error
        }
    }

    /// Tries again while another job has the device; the client is asked to wait meanwhile.
    private func whenFree(_ work: () async throws -> Void) async throws {
        let waited = Stopwatch(limits.clock)
        defer { state.withLock { $0.isWaiting = false } }
        while true {
            do { return try await work() } catch let error as HostError
                where error.code == HostError.Code(.busy) && waited.elapsed < limits.busy
            {
                if control.isStopped { throw CancellationError() }
                state.withLock { $0.isWaiting = true }
                try await limits.clock.sleep(for: limits.interval)
            }
        }
    }

    /// Adds a document to those that the client can fetch, once there is room.
    private func put(_ document: ScannedDocument) async throws {
        while true {
            let seen = signal.count
            if control.isStopped { throw CancellationError() }
            let isTaken = state.withLock { state in
                guard state.ready.count < Self.mostReady else { return false }
                state.ready.append(document)
                return true
            }
            if isTaken { return signal.raise() }
            await signal.wait(after: seen, atMost: .seconds(60))
        }
    }

    /// Tells the client how the job ended, unless it was stopped before.
    func end(_ end: End) {
        state.withLock { state in
            if state.end == nil { state.end = end }
        }
        signal.raise()
    }

    /// Cancels the job of a client that no longer asks for anything.
    private func forgetWhenIdle() async {
        while !Task.isCancelled {
            let left = state.withLock { state in
                state.held > 0
                    ? state.allowance : state.allowance - state.sinceAsked.elapsed
            }
            if left <= .zero { return stop(.forgotten) }
            await limits.clock.pause(for: left)
        }
    }

    /// Stops the capture and discards documents that were not fetched.
    func cancel() { stop(.cancelled) }

    private func stop(_ end: End) {
        state.withLock { state in
            if state.end == nil { state.end = end }
            state.ready = []
        }
        control.stop()
        signal.raise()
    }

    // MARK: The client

    /// The next document; waits for it as long as a client waits for a reply.
    func next() async -> Next {
        let waited = Stopwatch(limits.clock)
        state.withLock { $0.held += 1 }
        defer {
            state.withLock { state in
                state.held -= 1
                state.sinceAsked = Stopwatch(limits.clock)
            }
        }
        while true {
            let seen = signal.count
            if let next = state.withLock({ take(&$0) }) {
                signal.raise()
                return next
            }
            let left = limits.hold - waited.elapsed
            guard left > .zero else { return .later }
            await signal.wait(after: seen, atMost: left)
        }
    }

    /// Records that the client has received the last document or has disconnected.
    func documentWent() {
        state.withLock { state in
            state.allowance = limits.idle
            state.sinceAsked = Stopwatch(limits.clock)
        }
    }

    private func take(_ state: inout State) -> Next? {
        if !state.ready.isEmpty {
            let document = state.ready.removeFirst()
            state.fetchedPages += document.pages
            state.last = document
            state.allowance = limits.idle + .seconds(document.file.count / limits.pace)
            return .document(document)
        }
        switch state.end {
        case nil: return nil
        case .whole, .cancelled, .forgotten: return .over
        case .failed(let error): return .failed(error)
        }
    }

    /// The document that was fetched last; nil before the first.
    var last: ScannedDocument? { state.withLock(\.last) }

    /// Pages that were fetched.
    var fetchedPages: Int { state.withLock(\.fetchedPages) }

    /// The time at which the last waiting document was fetched; nil while one waits.
    var restedFor: Duration? {
        state.withLock { state in
            state.end != nil && state.ready.isEmpty && state.held == 0
                ? state.sinceAsked.elapsed : nil
        }
    }

    /// The state of the job, for clients.
    var status: ScannerStatus.Job {
        state.withLock { state in
            let now: ScannerStatus.JobState =
                switch state.end {
                case nil: state.isWaiting ? .pending : .processing
                case .whole: state.ready.isEmpty ? .completed : .processing
                case .cancelled: .canceled
                case .forgotten, .failed: .aborted
                }
            return ScannerStatus.Job(
                path: path, id: id,
                age: Int(state.sinceAsked.elapsed / .seconds(1)),
                fetched: state.fetchedPages, waiting: state.ready.reduce(0) { $0 + $1.pages },
                state: now)
        }
    }
}
