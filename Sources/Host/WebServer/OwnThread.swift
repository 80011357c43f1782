import Dispatch
import Synchronization

/// Runs work that blocks on a thread of its own, away from the tasks' pool.
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

/// Lets one at a time do something, such as read a file, change it and write it again; copies of
/// what holds it share it.
final class Turns: Sendable {
    private let mutex = Mutex(())

    /// Runs it, after all earlier work.
    func take<Value>(_ work: () throws -> Value) rethrows -> Value {
        try mutex.withLock { _ in try work() }
    }
}
