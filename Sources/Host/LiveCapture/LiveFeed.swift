import BlockingWork
package import CaptureHost
import CaptureKit
import Clocks
import Dispatch
import ExpectedFailures
import GuardedFiles
import Synchronization

/// Feeds pages from a camera or recording, one after another.
///
/// Frames are examined on a separate queue. Of a camera's frames only the newest matters: a frame
/// that arrives while another is examined replaces the waiting one. The frames of a recording wait,
/// so that none is lost.
package final class LiveFeed: Sendable {
    /// Sets a device's options: once before its first frame, and again each time that it returns.
    package typealias Preparation = @Sendable (OpenDevice, _ isFirst: Bool) async throws -> Void

    /// The number of buffers for frames: those that are held, and as many in transit.
    private static let ring = 2 * HeldFrames.most

    /// Why the watch ends.
    private enum End: Sendable {
        /// The analyzer has all pages, or none was captured for too long.
        case finished
        /// Its user ended it.
        case stopped
        case failed(any Error)
    }

    /// What the device does.
    private enum Camera: Sendable {
        case idle
        /// It streams; the time when it last sent a frame, or began to stream.
        case filming(OpenDevice, lastActivity: Double)
        case takingStill(OpenDevice)

        var device: OpenDevice? {
            switch self {
            case .idle: nil
            case .filming(let device, _), .takingStill(let device): device
            }
        }
    }

    private typealias Frame = (frame: CapturedPage, time: Double)

    /// What the queue does with a camera's frames.
    private enum Looking: Sendable {
        case idle
        /// It examines one; the newest waits.
        case busy(next: Frame?)
    }

    private struct State: Sendable {
        /// Nil while the watch continues.
        private(set) var end: End?
        var camera = Camera.idle
        var looking = Looking.idle
        /// True while a page waits for a still: the camera stops streaming for it.
        var wantsStill = false
        /// Copies of the analyzer's results, so that no one has to wait while it works.
        var fresh: [CapturedPage] = []
        var overtaken = 0
        var dropped = 0

        /// Ends the watch; the first failure takes precedence over any other reason.
        mutating func stop(because new: End) {
            switch (end, new) {
            case (.failed, _), (.stopped, .finished): break
            default: end = new
            }
        }

        var failure: (any Error)? { if case .failed(let error) = end { error } else { nil } }

        /// True if the streaming ended for a still, and not because of a stop.
        var isInterruptedForStill: Bool {
            if case .stopped = end { false } else { wantsStill }
        }
    }

    private let host: CaptureHost
    private let device: ListedDevice
    private let request: LiveAnalyzer.Request
    private let analyzer: Mutex<LiveAnalyzer>
    private let queue = OwnQueue(label: "copystand.live", qos: .userInitiated)
    private let state = Mutex(State())
    private let start = ContinuousClock.now
    /// The clock for the waits before the camera is looked for again.
    private let waiting: any Clock<Duration>

    /// A feed that has not begun.
    ///
    /// - Parameter waiting: the clock for the waits before the camera is looked for again.
    package init(
        host: CaptureHost, device: ListedDevice, request: LiveAnalyzer.Request,
        waiting: any Clock<Duration>
    ) {
        self.waiting = waiting
        self.host = host
        self.device = device
        self.request = request
        analyzer = Mutex(LiveAnalyzer(request))
    }

    /// Ends the watch soon; pages that are captured are still fed.
    package func stop() {
        let capturing = state.withLock { state in
            state.stop(because: .stopped)
            return state.camera.device
        }
        if let capturing { Task { await capturing.cancelCapture() } }
    }

    /// Feeds frames until the capture is stopped, the limit is reached, no page is captured for too
    /// long, or the recording ends; all of these are normal ends.
    ///
    /// - Parameters:
    ///   - prepare: sets the device's options after it was opened.
    ///   - onOpen: called once, when the device is ready.
    ///   - take: gets every page, in order.
    /// - Throws: ``HostError`` when the device can't be used at the beginning, or a page can't be
    ///   stored.
    package func run(
        prepare: Preparation, onOpen: @Sendable () -> Void,
        take: @Sendable (CapturedPage) -> Void
    ) async throws {
        var clock = LiveClock(isRecording: request.isRecording)
        defer {
            let time = request.isRecording ? clock.last : elapsed
            request.onLive(.ended(time: time, finalStatistics()))
        }
        var isAnnounced = false
        var open: OpenDevice? = try await self.open(prepare, isFirst: true)
        let silenceWatch = watchSilence()
        defer { silenceWatch?.cancel() }
        while let device = open {
            do {
                try await watch(device, &clock, take: take) { hint in
                    // This happens only once: the first frames of a returning camera announce it.
                    guard !isAnnounced else { return }
                    isAnnounced = true
                    if let hint { request.onLive(.note(time: elapsed, hint)) }
                    onOpen()
                }
                return await device.close()
            } catch {
                let isOver = isOver
                await device.close()
                await settle { try $0.reset() }
                feed(take)
                if let failure = state.withLock(\.failure) { throw failure }
                if isOver || error is CancellationError { return }
                guard canComeBack(error), let lost = error as? HostError else { throw error }
                let time = elapsed
                await settle { $0.lost(lost, at: time) }
                open = await reopened(prepare)
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
                await waiting.pause(for: .milliseconds(250))
                if Task.isCancelled { return }
                let time = elapsed
                let camera = state.withLock(\.camera)
                let lastActivity = if case .filming(_, let last) = camera { last } else { time }
                await settle { analyzer in
                    if time - lastActivity >= Outage.patience { analyzer.lost(silence, at: time) }
                    analyzer.nothingSeen(at: time)
                }
            }
            await state.withLock(\.camera).device?.cancelCapture()
        }
    }

    // MARK: The device

    private func open(
        _ prepare: Preparation, isFirst: Bool
    ) async throws -> OpenDevice {
        let open = try await host.open(device)
        do {
            try await prepare(open, isFirst)
        } catch {
            await open.close()
            throw error
        }
        return open
    }

    /// Waits until the camera can be opened again; nil when the watch ends first.
    ///
    /// The camera's first frame shows whether it works again.
    private func reopened(_ prepare: Preparation) async -> OpenDevice? {
        while !isOver {
            // No event reports that a busy or hung camera works again, so this tries to open it.
            // The waits are short, so that a stop takes effect soon.
            await waiting.pause(for: .milliseconds(250))
            if isOver { return nil }
            let back = await repeatedSoon { try await self.open(prepare, isFirst: false) }
            if let back { return back }
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
        _ device: OpenDevice, _ clock: inout LiveClock, take: @Sendable (CapturedPage) -> Void,
        onOpen: (_ hint: String?) -> Void
    ) async throws {
        let options = try await device.options()
        analyzer.withLock { $0.begin(with: options) }
        let button =
            request.isRecording
            ? nil : ButtonListener(device, options, request.control, waiting: waiting)
        defer { button?.stop() }
        onOpen(button?.hint)
        repeat {
            try await film(device, &clock, take: take)
        } while try await takeStill(device, take)
    }

    /// Captures live frames until the watch ends or a page needs a still.
    private func film(
        _ device: OpenDevice, _ clock: inout LiveClock, take: @Sendable (CapturedPage) -> Void
    ) async throws {
        let events = try begin(
            .filming(device, lastActivity: elapsed), CaptureRequest(mode: .live), on: device,
            request.spool, whenFull: request.isRecording ? .wait : .drop)
        defer {
            state.withLock { state in
                state.camera = .idle
                state.dropped += device.statistics.dropped
            }
        }
        do {
            for try await event in events {
                state.withLock { $0.camera = .filming(device, lastActivity: elapsed) }
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
                feed(take)
                if isOver { break }
            }
        } catch is CancellationError where state.withLock(\.isInterruptedForStill) {
            // The streaming was stopped for the still.
        }
        await finishLooking(take)
        if let failure = state.withLock(\.failure) { throw failure }
    }

    private func begin(
        _ camera: Camera, _ request: CaptureRequest, on device: OpenDevice, _ spool: SpoolFolder,
        whenFull: WhenFull = .drop
    ) throws -> AsyncThrowingStream<CaptureEvent, any Error> {
        try state.withLock { state in
            // A stop before this point found nothing to cancel.
            guard state.end == nil else { throw CancellationError() }
            state.camera = camera
            return device.capture(request, spool: spool, whenFull: whenFull, ring: Self.ring)
        }
    }

    // MARK: Stills

    /// Captures the still that a page waits for; false when none does, or the watch has ended.
    private func takeStill(
        _ device: OpenDevice, _ take: @Sendable (CapturedPage) -> Void
    ) async throws -> Bool {
        guard state.withLock({ $0.wantsStill }) else { return false }
        let start = ContinuousClock.now
        let folder = request.spool.path + "/" + StillStore.folderName
        var picture: CapturedPage?
        var failure: (any Error)?
        do {
            GuardedFolder.removeTree(at: folder)
            _ = try GuardedFolder.folder(at: request.spool.path).ownFolder(StillStore.folderName)
            let events = try begin(
                .takingStill(device), CaptureRequest(mode: .pages, limit: 1), on: device,
                SpoolFolder(path: folder))
            defer { state.withLock { $0.camera = .idle } }
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
        feed(take)
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
        let before = state.withLock { state in
            defer { state.looking = .busy(next: (frame, time)) }
            return state.looking
        }
        switch before {
        case .idle:
            queue.begin { [self] in
                while let (frame, time) = next() { look(frame, time) }
            }
        case .busy(let old?):
            state.withLock { $0.overtaken += 1 }
            old.frame.release()
        case .busy(nil): break
        }
    }

    private func next() -> Frame? {
        state.withLock { state in
            guard case .busy(let frame?) = state.looking else {
                state.looking = .idle
                return nil
            }
            state.looking = .busy(next: nil)
            return frame
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
            if isFinished { state.stop(because: .finished) }
            if let failure { state.stop(because: .failed(failure)) }
            defer { state.wantsStill = wantsStill }
            return wantsStill && !state.wantsStill ? state.camera.device : nil
        }
        // A camera streams or takes stills, never both at once.
        if let filming { Task { await filming.cancelCapture() } }
    }

    /// Waits for the frame that is being examined, and feeds the pages from it.
    private func finishLooking(_ take: @Sendable (CapturedPage) -> Void) async {
        await queue.run {}
        feed(take)
    }

    private func feed(_ take: @Sendable (CapturedPage) -> Void) {
        let fresh = state.withLock { state in
            defer { state.fresh = [] }
            return state.fresh
        }
        for page in fresh { take(page) }
    }

    private var isOver: Bool { state.withLock { $0.end != nil } }

    private var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

    private func finalStatistics() -> LiveStatistics {
        var statistics = analyzer.withLock { $0.statistics }
        (statistics.overtaken, statistics.dropped) = state.withLock { ($0.overtaken, $0.dropped) }
        statistics.frames += statistics.overtaken
        statistics.seconds = elapsed
        return statistics
    }
}
