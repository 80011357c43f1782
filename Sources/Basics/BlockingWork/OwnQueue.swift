package import Dispatch

/// Runs blocking work, such as writing files, outside the cooperative pool, one piece after
/// another.
package struct OwnQueue: Sendable {
    private let queue: DispatchQueue

    /// A queue whose work runs on a thread of its own.
    ///
    /// - Parameters:
    ///   - label: the queue's name in a debugger.
    ///   - qos: the urgency of the work.
    package init(label: String, qos: DispatchQoS = .unspecified) {
        queue = DispatchQueue(label: label, qos: qos)
    }

    /// Starts work without waiting for its end.
    package func begin(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs work after all earlier work, and waits for its result.
    ///
    /// - Throws: the error of the work.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(Failure) in try work() })
            }
        }
        return try result.get()
    }
}
