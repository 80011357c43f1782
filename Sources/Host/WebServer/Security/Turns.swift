import Synchronization

/// Lets one task at a time run an operation, such as changing a file; copies of the owner share the
/// turns.
final class Turns: Sendable {
    private let mutex = Mutex(())

    /// Runs the operation after all earlier ones.
    func take<Value>(_ work: () throws -> Value) rethrows -> Value {
        try mutex.withLock { _ in try work() }
    }
}
