import Synchronization

/// Set once, from any thread, when the work is no longer wanted.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
