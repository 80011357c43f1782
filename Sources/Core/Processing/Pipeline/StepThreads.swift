import Dispatch
import Synchronization

/// Runs the steps of pages on separate threads, a few at a time.
///
/// Pixel work takes tens of milliseconds, so it must not block the cooperative pool's threads. More
/// threads than cores would not be faster.
final class StepThreads: Sendable {
    private struct State {
        var running = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let limit: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "copystand.processing", attributes: .concurrent)

    /// At most `limit` jobs run at once.
    init(limit: Int) { self.limit = max(1, limit) }

    /// The result of `work`, after running it on one of the threads.
    func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            submit { continuation.resume(returning: work()) }
        }
    }

    private func submit(_ job: @escaping @Sendable () -> Void) {
        let startsThread = state.withLock { state in
            state.waiting.append(job)
            guard state.running < limit else { return false }
            state.running += 1
            return true
        }
        if startsThread { queue.async { self.work() } }
    }

    private func work() {
        while let job = nextJob() { job() }
    }

    private func nextJob() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
