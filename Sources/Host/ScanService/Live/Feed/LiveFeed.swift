import BlockingWork
import CaptureHost
import CaptureKit
import Dispatch
import GuardedFiles
import Synchronization

/// Feeds pages from a camera or recording, one after another.
///
/// Frames are examined on a separate queue. Of a camera's frames only the newest matters: a frame
/// that arrives while another is examined replaces the waiting one. The frames of a recording wait,
/// so that none is lost.
final class LiveFeed: PageFeed {
    /// The number of buffers for frames: those that are held, and as many in transit.
    private static let ring = 2 * HeldFrames.most

    private struct State: Sendable {
        var isStopped = false
        /// True once the user knows the watched device.
        var isAnnounced = false
        var capturing: OpenDevice?
        /// The time when the streaming camera last sent a frame, or began to stream; nil while none
        /// streams.
        var lastActivity: Double?
        var failure: (any Error)?
        var newest: (frame: CapturedPage, time: Double)?
        var isLooking = false
        var wantsStill = false
        /// A copy of the analyzer's results, so that no one has to wait while it works.
        var isFinished = false
        var fresh: [CapturedPage] = []
        var overtaken = 0
        var dropped = 0
    }

    private let host: CaptureHost
    private let device: ListedDevice
    private let settings: [ScanOrder.Setting]
    private let request: LiveAnalyzer.Request
    private let analyzer: Mutex<LiveAnalyzer>
    private let queue = OwnQueue(label: "copystand.live", qos: .userInitiated)
    private let state = Mutex(State())
    private let start = ContinuousClock.now
    /// The clock for the waits before the camera is looked for again.
    private let waiting: any Clock<Duration>

    init(
        host: CaptureHost, device: ListedDevice, settings: [ScanOrder.Setting],
        request: LiveAnalyzer.Request, waiting: any Clock<Duration>
    ) {
        self.waiting = waiting
        self.host = host
        self.device = device
        self.settings = settings
        self.request = request
        analyzer = Mutex(LiveAnalyzer(request))
    }

    func stop() {
        let capturing = state.withLock { state in
            state.isStopped = true
            return state.capturing
        }
        if let capturing { Task { await capturing.cancelCapture() } }
    }

    /// Feeds frames until the capture is stopped, the limit is reached, no page comes for too long,
    /// or the recording ends; all of these are normal ends.
    ///
    /// - Throws: ``HostError`` when the device can't be used at the beginning, or a page can't be
    ///   stored.
    func run(
        _ onEvent: @escaping @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        var clock = LiveClock(isRecording: request.isRecording)
        defer {
            let time = request.isRecording ? clock.last : elapsed
            request.onLive(.ended(time: time, finalStatistics()))
        }
        var open: OpenDevice? = try await self.open(onEvent)
        let silenceWatch = watchSilence()
        defer { silenceWatch?.cancel() }
        while let device = open {
            do {
                try await watch(device, &clock, onEvent: onEvent, take: take)
                return await device.close()
            } catch {
                let isOver = isOver
                await device.close()
                await settle { try $0.reset() }
                feed(onEvent, take)
                if let failure = state.withLock(\.failure) { throw failure }
                if isOver || error is CancellationError { return }
                guard canComeBack(error), let lost = error as? HostError else { throw error }
                let time = elapsed
                await settle { $0.lost(lost, at: time) }
                open = await reopened()
            }
        }
    }

    /// While a camera sends nothing, informs the user and ends an idle watch.
    ///
    /// A backend waits longer for a camera's first frame than the user should.
    private func watchSilence() -> Task<Void, Never>? {
        guard !request.isRecording else { return nil }
        let silence = HostError(
            HostError.Code(.stalled),
            "the camera '\(device.descriptor.name)' has sent no frame for \(Int(Outage.patience)) s",
            advice: "Plug it in again; if it happens again, choose another size or format")
        return Task {
            while !isOver {
                // Silence causes no event, so the time of the last frame is checked at intervals.
                try? await waiting.sleep(for: .milliseconds(250))
                if Task.isCancelled { return }
                let time = elapsed
                let lastActivity = state.withLock(\.lastActivity) ?? time
                await settle { analyzer in
                    if time - lastActivity >= Outage.patience { analyzer.lost(silence, at: time) }
                    analyzer.nothingSeen(at: time)
                }
            }
            await state.withLock(\.capturing)?.cancelCapture()
        }
    }

    // MARK: The device

    private func open(_ onEvent: @Sendable (ScanEvent) -> Void) async throws -> OpenDevice {
        let open = try await host.open(device)
        do {
            try await open.apply(settings, onEvent)
        } catch {
            await open.close()
            throw error
        }
        return open
    }

    /// Waits until the camera can be opened again; nil when the watch ends first.
    ///
    /// The camera's first frame shows whether it works again.
    private func reopened() async -> OpenDevice? {
        while !isOver {
            // No event says that a busy or hung camera works again, so this tries to open it. The
            // waits are short, so that a stop takes effect soon.
            try? await waiting.sleep(for: .milliseconds(250))
            if isOver { return nil }
            if let open = try? await self.open({ _ in }) { return open }
        }
        return nil
    }

    /// True for failures that pass when the camera is plugged in again.
    private func canComeBack(_ error: any Error) -> Bool {
        guard let code = (error as? HostError)?.code, !request.isRecording else { return false }
        let lasting: [HostError.Code] = [
            .noSpace, .spoolFailed, .invalidValue, .noSuchOption, .closed,
            HostError.Code(.unsupported), .newerProtocol, .brokenBackend,
        ]
        return !lasting.contains(code)
    }

    // MARK: Frames

    private func watch(
        _ device: OpenDevice, _ clock: inout LiveClock,
        onEvent: @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        let options = try await device.options()
        analyzer.withLock { $0.begin(with: options) }
        let button =
            request.isRecording
            ? nil : ButtonListener(device, options, request.control, waiting: waiting)
        defer { button?.stop() }
        // This happens only once: the first frames of a returning camera announce it.
        let isFirst = state.withLock { state in
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
        if isFirst {
            if let hint = button?.hint { request.onLive(.note(time: elapsed, hint)) }
            let (id, descriptor) = (device.device.id, device.device.descriptor)
            onEvent(.opened(device: id, name: descriptor.name, kind: descriptor.kind))
        }
        repeat {
            try await film(device, &clock, onEvent: onEvent, take: take)
        } while try await takeStill(device, onEvent, take)
    }

    /// Captures live frames until the watch ends or a page needs a still.
    private func film(
        _ device: OpenDevice, _ clock: inout LiveClock,
        onEvent: @Sendable (ScanEvent) -> Void, take: @Sendable (FedPage) -> Void
    ) async throws {
        let events = try begin(
            device, CaptureRequest(mode: .live), request.spool,
            whenFull: request.isRecording ? .wait : .drop)
        noteActivity(at: elapsed)
        defer {
            noteActivity(at: nil)
            state.withLock { $0.dropped += device.statistics.dropped }
        }
        do {
            for try await event in events {
                noteActivity(at: elapsed)
                if case .skipped(_, _, let error) = event {
                    let time = request.isRecording ? clock.last : elapsed
                    await settle { $0.skipped(error, at: time) }
                }
                guard case .page(let frame) = event else { continue }
                let time = clock.time(device: frame.description.time, elapsed: elapsed)
                request.control.pictures.show(frame, at: time)
                if request.isRecording {
                    await lookInTurn(frame, time)
                } else {
                    post(frame, time)
                }
                feed(onEvent, take)
                if isOver { break }
            }
        } catch is CancellationError where state.withLock({ $0.wantsStill && !$0.isStopped }) {
            // The streaming was stopped for the still.
        }
        await finishLooking(onEvent, take)
        if let failure = state.withLock(\.failure) { throw failure }
    }

    private func noteActivity(at time: Double?) { state.withLock { $0.lastActivity = time } }

    private func begin(
        _ device: OpenDevice, _ request: CaptureRequest, _ spool: SpoolFolder,
        whenFull: WhenFull = .drop
    ) throws -> AsyncThrowingStream<CaptureEvent, any Error> {
        try state.withLock { state in
            // A stop before this point found nothing to cancel.
            if state.isStopped || state.isFinished { throw CancellationError() }
            state.capturing = device
            return device.capture(request, spool: spool, whenFull: whenFull, ring: Self.ring)
        }
    }

    // MARK: Stills

    /// Captures the still that a page waits for; false when none does, or the watch has ended.
    private func takeStill(
        _ device: OpenDevice, _ onEvent: @Sendable (ScanEvent) -> Void,
        _ take: @Sendable (FedPage) -> Void
    ) async throws -> Bool {
        guard state.withLock({ $0.wantsStill }) else { return false }
        let start = ContinuousClock.now
        let folder = request.spool.path + "/" + OwnFiles.stills
        var picture: CapturedPage?
        var failure: (any Error)?
        do {
            GuardedFolder.removeTree(at: folder)
            _ = try GuardedFolder.folder(at: request.spool.path).ownFolder(OwnFiles.stills)
            let events = try begin(
                device, CaptureRequest(mode: .pages, limit: 1), SpoolFolder(path: folder))
            for try await event in events {
                switch event {
                case .page(let page): picture = page
                case .skipped(_, _, let error): failure = error
                default: break
                }
            }
        } catch { failure = error }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let (still, reason) = (picture, failure)
        await settle { try $0.take(still: still, failure: reason, after: seconds) }
        GuardedFolder.removeTree(at: folder)
        feed(onEvent, take)
        if let failure = state.withLock(\.failure) { throw failure }
        return !isOver
    }

    /// Lets the analyzer do some work after it has examined every frame.
    private func settle(
        _ body: @escaping @Sendable (inout LiveAnalyzer) throws -> Void
    ) async {
        await queue.run { [self] in work(body) }
    }

    /// Replaces the waiting frame, and has the new one examined.
    private func post(_ frame: CapturedPage, _ time: Double) {
        let (old, isLooking) = state.withLock { state in
            let old = state.newest
            state.newest = (frame, time)
            if old != nil { state.overtaken += 1 }
            defer { state.isLooking = true }
            return (old, state.isLooking)
        }
        old?.frame.release()
        guard !isLooking else { return }
        queue.begin { [self] in
            while let (frame, time) = next() { look(frame, time) }
        }
    }

    private func next() -> (frame: CapturedPage, time: Double)? {
        state.withLock { state in
            defer { state.newest = nil }
            state.isLooking = state.newest != nil
            return state.newest
        }
    }

    private func lookInTurn(_ frame: CapturedPage, _ time: Double) async {
        await queue.run { [self] in look(frame, time) }
    }

    private func look(_ frame: CapturedPage, _ time: Double) {
        work { try $0.take(frame, at: time) }
    }

    /// Runs work with the analyzer on its queue.
    private func work(_ body: (inout LiveAnalyzer) throws -> Void) {
        let (fresh, isFinished, wantsStill, failure) = analyzer.withLock { analyzer in
            var failure: (any Error)?
            do { try body(&analyzer) } catch { failure = error }
            return (analyzer.fetch(), analyzer.isFinished, analyzer.wantsStill, failure)
        }
        let filming = state.withLock { state in
            state.fresh += fresh
            state.isFinished = isFinished
            state.failure = state.failure ?? failure
            defer { state.wantsStill = wantsStill }
            return wantsStill && !state.wantsStill ? state.capturing : nil
        }
        // A camera streams or takes stills, never both at once.
        if let filming { Task { await filming.cancelCapture() } }
    }

    /// Waits for the frame that is being examined, and feeds the pages from it.
    private func finishLooking(
        _ onEvent: @Sendable (ScanEvent) -> Void, _ take: @Sendable (FedPage) -> Void
    ) async {
        await queue.run {}
        feed(onEvent, take)
    }

    private func feed(
        _ onEvent: @Sendable (ScanEvent) -> Void, _ take: @Sendable (FedPage) -> Void
    ) {
        let fresh = state.withLock { state in
            defer { state.fresh = [] }
            return state.fresh
        }
        for page in fresh {
            onEvent(.captured(page: page.number, label: page.description.label))
            take(FedPage(captured: page, device: device.id))
        }
    }

    private var isOver: Bool {
        state.withLock { $0.isStopped || $0.isFinished || $0.failure != nil }
    }

    private var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

    private func finalStatistics() -> LiveStatistics {
        var statistics = analyzer.withLock { $0.statistics }
        (statistics.overtaken, statistics.dropped) = state.withLock { ($0.overtaken, $0.dropped) }
        statistics.frames += statistics.overtaken
        statistics.seconds = elapsed
        return statistics
    }
}
