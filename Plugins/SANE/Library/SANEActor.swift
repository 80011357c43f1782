import CaptureKit
import Dispatch
import Synchronization

/// The one thread of the process on which SANE is called.
///
/// Drivers keep global state and take no locks, so every `sane_*` call is made here; only
/// `sane_cancel` may also come from elsewhere, through ``CancelGate``.
@globalActor actor SANEActor {
    static let shared = SANEActor()
    private static let thread = SANEThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        SANEActor.thread.asUnownedSerialExecutor()
    }
}

/// An executor that runs its jobs one after the other on a separate thread, which starts with the
/// first job and never ends.
private final class SANEThread: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isStarted = false
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { startThread("sane") { self.work() } }
        arrived.signal()
    }

    private func work() {
        while true {
            arrived.wait()
            let job = state.withLock { $0.jobs.removeFirst() }
            job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }
}
