import CSANE
import Dispatch
import Synchronization

/// Ensures that a scan is ended by exactly one `sane_cancel`.
///
/// The scan itself ends at ``finish()``, on SANE's thread. When it is canceled while a read blocks,
/// and the read has not returned after a moment, `sane_cancel` is called from another thread, which
/// the SANE standard allows. It is never called in parallel with any call but `sane_read`: the
/// `net` driver would mix up two requests on one connection.
final class CancelGate: Sendable {
    /// The time that a blocked read may take to return.
    private static let patience = DispatchTimeInterval.milliseconds(300)

    private struct State {
        var isRequested = false
        var isReading = false
        var isOver = false
    }

    /// Ends the scan, with `sane_cancel` of its handle.
    private let end: @Sendable () -> Void
    private let state = Mutex(State())
    /// Left at the first cancellation; a semaphore would wait by the time of day.
    private let cancelled = DispatchGroup()

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
        cancelled.enter()
    }

    deinit { if !isCancelled { cancelled.leave() } }

    /// True once the scan was asked to stop.
    var isCancelled: Bool { state.withLock { $0.isRequested } }

    /// Asks for the end; may be called from any thread.
    func cancel() {
        let isFirst = state.withLock { state in
            defer { state.isRequested = true }
            return !state.isRequested
        }
        guard isFirst else { return }
        cancelled.leave()
        cancelQueue.asyncAfter(deadline: .now() + CancelGate.patience) { self.breakRead() }
    }

    /// Blocks the calling thread until someone cancels, or until the time is up.
    func waitForCancel(_ time: Duration) {
        _ = cancelled.wait(timeout: .now() + time / .seconds(1))
    }

    /// Runs `read` as a call that may be interrupted, unless the scan was canceled.
    ///
    /// - Throws: `CancellationError`, whatever the result of the read; the errors of `read`.
    func reading<Result>(_ read: () throws -> Result) throws -> Result {
        let mayRead = state.withLock { state in
            state.isReading = !state.isRequested
            return state.isReading
        }
        guard mayRead else { throw CancellationError() }
        let result = Swift.Result { try read() }
        let isCancelled = state.withLock { state in
            state.isReading = false
            return state.isRequested
        }
        if isCancelled { throw CancellationError() }
        return try result.get()
    }

    /// Ends the scan if it was not ended before; call it on SANE's thread.
    func finish() {
        let isDue = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isDue { end() }
    }

    private func breakRead() {
        // Under the lock, so that SANE's thread can't go on to another call meanwhile.
        state.withLock { state in
            guard state.isReading, !state.isOver else { return }
            state.isOver = true
            end()
        }
    }
}

private let cancelQueue = DispatchQueue(label: "copystand.sane.cancel", attributes: .concurrent)
