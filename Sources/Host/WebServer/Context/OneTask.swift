import Synchronization

/// Work that is done once, for everyone who asks for its result.
final class OneTask<Value: Sendable>: Sendable {
    private let task = Mutex<Task<Value, Never>?>(nil)

    /// The result of the work that the first call began.
    func result(of work: @escaping @Sendable () async -> Value) async -> Value {
        let begun = task.withLock { task in
            let begun = task ?? Task { await work() }
            task = begun
            return begun
        }
        return await begun.value
    }
}
