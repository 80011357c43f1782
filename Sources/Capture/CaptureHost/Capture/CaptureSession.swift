import CaptureKit
import Clocks
import Dispatch
import Synchronization

/// A running capture on the host's side: grants buffers, checks what arrives, stores pages, and
/// notifies its consumer.
///
/// Three threads work on a capture. The link's reader handles the backend's events. Buffers are
/// granted on a separate queue, since making a file may block. Finished pages are synced on
/// another, so that the disk works on one page while the next is captured.
final class CaptureSession: LinkedCapture, Sendable {
    let id: Int
    let link: BackendLink
    let settings: Settings
    let continuation: AsyncThrowingStream<CaptureEvent, any Error>.Continuation
    let granting = DispatchQueue(label: "copystand.capture.grant")
    let storing = DispatchQueue(label: "copystand.capture.store")
    let ring: LiveRing
    let state: Mutex<State>

    struct Settings: Sendable {
        var handle: Int
        var request: CaptureRequest
        var spool: SpoolFolder
        var window: Int?
        var whenFull = WhenFull.drop
        var ring = 3
        /// The bytes that stay free before a page's pixels.
        var room = 0
        var limits: FrameLimits
        /// The maximum time without progress; nil for the deadline of the configuration.
        var patience: Duration?
    }

    struct State {
        /// The number of frames and skips that are over.
        var pages = 0
        var finished = 0
        var skipped = 0
        var dropped = 0
        var open: OpenFrame?
        /// A frame that was announced and has no buffer yet.
        var announced: FrameDescription?
        /// True when `announced` waits for the release of a page or live frame.
        var isWaiting = false
        /// The number of pages granted and not released.
        var held = 0
        /// The files of the completely transferred documents; the index is the document's number
        /// less 1.
        var sources: [String] = []
        /// The document that is arriving.
        var incoming: IncomingSource?
        /// The host's own failure, and the number of the first frame that it lost.
        var failure: (error: HostError, frame: Int)?
        var isCancelled = false
        var isEnded = false
        /// The time since the capture last made progress.
        var sinceAdvance: Stopwatch
        /// The place where the backend reads, and the pages that it holds back.
        var reading: ReadingPlace?
        /// The number of reading places that the backend has reported.
        var readings = 0
        var afterEnd: [CheckedContinuation<Void, Never>] = []
        var isOver = false
        /// The tasks that watch the backend's progress; canceled when the capture is over.
        var watchers: [Task<Void, Never>] = []
    }

    typealias Effect = CaptureEffect

    init(
        link: BackendLink, settings: Settings,
        continuation: AsyncThrowingStream<CaptureEvent, any Error>.Continuation
    ) {
        id = link.nextRequest()
        self.link = link
        state = Mutex(State(sinceAdvance: Stopwatch(link.clock)))
        ring = LiveRing(count: settings.ring)
        self.settings = settings
        self.continuation = continuation
    }

    /// Asks the backend to begin, and starts to watch its progress.
    func start() {
        let request = settings.request
        link.start(
            self,
            Wire.Capture(
                handle: settings.handle, mode: request.mode, limit: request.limit,
                after: request.after))
        attend(Task { await watch() })
    }

    // MARK: The end

    /// Asks the backend to stop; kills a backend that does not stop in time.
    func cancel() {
        let (wasWaiting, number, isActive) = state.withLock { state in
            defer { state.isCancelled = true }
            let wasWaiting = state.isWaiting
            if wasWaiting {
                state.announced = nil
                state.isWaiting = false
            }
            return (wasWaiting, state.pages + 1, !state.isCancelled && !state.isEnded)
        }
        guard isActive else { return }
        if wasWaiting { refuse(number, CaptureError(.cancelled, "the capture was canceled")) }
        attend(
            Task { [link, id] in
                let deadline = link.deadlines.cancel
                do {
                    _ = try await link.request(
                        .cancel, Wire.Cancel(capture: id), deadline: deadline)
                } catch let error as HostError where link.failure == nil && error.code != .hung {
                    // The request to cancel failed, but the capture ends anyway.
                } catch { return }
                await link.clock.pause(for: deadline)
                if !state.withLock({ $0.isEnded }) {
                    link.fail(link.hang("did not end a canceled capture within \(deadline.words)"))
                }
            })
    }

    /// Fails the capture for a reason on the host's side; the backend is asked to stop.
    func fail(_ error: any Error, at frame: Int) {
        let error = error as? HostError ?? HostError(.spoolFailed, "\(error)")
        state.withLock { state in
            if frame < state.failure?.frame ?? .max { state.failure = (error, frame) }
        }
        cancel()
    }

    /// Handles the backend's answer, or the link's failure; earlier pages are reported first.
    func end(_ result: Result<Void, HostError>) {
        let (isFirst, torn) = state.withLock { state -> (Bool, OpenFrame?) in
            defer {
                state.isEnded = true
                state.announced = nil
                state.isWaiting = false
            }
            return (!state.isEnded, state.open)
        }
        guard isFirst else { return }
        granting.async { [self] in
            storing.async { [self] in
                torn?.discard()
                finish(result, torn)
            }
        }
    }

    private func finish(_ result: Result<Void, HostError>, _ torn: OpenFrame?) {
        let (failure, isCancelled) = state.withLock { ($0.failure, $0.isCancelled) }
        if let failure {
            continuation.finish(throwing: failure.error)
        } else if case .failure(let error) = result {
            let wasWished = isCancelled && error.code == HostError.Code(.cancelled)
            continuation.finish(throwing: wasWished ? CancellationError() : error)
        } else if let torn {
            let error = HostError(
                .tornPage,
                "the backend '\(link.backend)' began page \(page(torn.number)) and never finished it",
                backend: link.backend)
            // An incomplete page breaks the protocol, so the backend is stopped.
            link.fail(error)
            continuation.finish(throwing: error)
        } else {
            continuation.finish()
        }
        let (waiting, watchers) = state.withLock { state in
            state.isOver = true
            defer { (state.afterEnd, state.watchers) = ([], []) }
            return (state.afterEnd, state.watchers)
        }
        for watcher in watchers { watcher.cancel() }
        for continuation in waiting { continuation.resume() }
    }

    private func attend(_ watcher: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.watchers.append(watcher) }
            return state.isOver
        }
        if isOver { watcher.cancel() }
    }

    /// Waits until the backend has ended the capture and every page is stored.
    func waitUntilOver() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.afterEnd.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// Ends the link when the backend makes no progress for too long.
    ///
    /// A backend that waits for the host has no deadline.
    private func watch() async {
        let deadline = settings.patience ?? link.deadlines.progress
        while true {
            let (isEnded, silence, hostOwes) = state.withLock {
                ($0.isEnded, $0.sinceAdvance.elapsed, $0.announced != nil)
            }
            if isEnded { return }
            let wait = hostOwes ? deadline : deadline - silence
            if wait <= .zero {
                return link.fail(link.hang("sent nothing for \(deadline.words) during a capture"))
            }
            guard await link.clock.pause(for: wait) else { return }
        }
    }

    /// The page's number for people.
    func page(_ frame: Int) -> Int { settings.spool.firstNumber + frame - 1 }
}
