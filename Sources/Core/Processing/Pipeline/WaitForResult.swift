import Dispatch
import Synchronization

/// Waits for the result of `work` on a thread that may block, such as a step's own.
///
/// - Throws: the errors of `work`; `CancellationError` once the flag is set, which cancels `work`.
func waitForResult<Value: Sendable>(
    _ isCancelled: CancellationFlag, _ work: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    // A semaphore waits by the time of day here: for years, once the clock is set back.
    let done = DispatchGroup()
    done.enter()
    let task = Task {
        let ending: Result<Value, any Error>
        do { ending = .success(try await work()) } catch { ending = .failure(error) }
        result.withLock { $0 = ending }
        done.leave()
    }
    while done.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
        if isCancelled.isSet { task.cancel() }
    }
    guard let ending = result.withLock({ $0 }) else { throw CancellationError() }
    return try ending.get()
}
