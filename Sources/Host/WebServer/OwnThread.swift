import Dispatch
import Synchronization

/// Runs blocking work on a separate thread, outside the tasks' pool.
func onOwnThread<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        DispatchQueue(label: "copystand.web").async {
            continuation.resume(returning: Result { () throws(Failure) in try work() })
        }
    }
    return try result.get()
}

/// Lets one task at a time run an operation, such as changing a file; copies of the owner share the
/// turns.
final class Turns: Sendable {
    private let mutex = Mutex(())

    /// Runs the operation after all earlier ones.
    func take<Value>(_ work: () throws -> Value) rethrows -> Value {
        try mutex.withLock { _ in try work() }
    }
}
