import Dispatch

/// Runs blocking work, such as writing files, off the cooperative pool and one piece after another.
struct OwnQueue: Sendable {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    /// Begins work without waiting for its end.
    func begin(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
