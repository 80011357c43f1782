import Dispatch

/// Runs blocking work, such as writing files, outside the cooperative pool, one piece after
/// another.
package struct OwnQueue: Sendable {
    private let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label) }

    /// Starts work without waiting for its end.
    func begin(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
