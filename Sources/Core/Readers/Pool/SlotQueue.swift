import Synchronization

/// Assigns the slots of a pool to callers: to short work first, then to the page with the most
/// work.
///
/// Starting with the longest page keeps all slots busy until the end of a stack. No caller waits
/// forever: at most three later pages go first.
final class SlotQueue: Sendable {
    private struct Waiter {
        var id: UInt64
        var work: ReadingWork
        /// The number of later callers, with longer pages, that went first.
        var passed = 0
        var continuation: CheckedContinuation<Int, any Error>
    }

    private struct State {
        var free: [Int]
        /// The waiting callers, in the order of their arrival.
        var waiting: [Waiter] = []
        var cancelled: Set<UInt64> = []
        var nextID: UInt64 = 0

        /// Removes the next caller.
        mutating func removeNext() -> Waiter {
            if let short = waiting.firstIndex(where: \.work.isShort) {
                return waiting.remove(at: short)
            }
            let place =
                waiting.firstIndex { $0.passed == SlotQueue.patience }
                ?? waiting.indices.reduce(0) {
                    waiting[$1].work.strokes > waiting[$0].work.strokes ? $1 : $0
                }
            for earlier in waiting.indices.prefix(upTo: place) { waiting[earlier].passed += 1 }
            return waiting.remove(at: place)
        }
    }

    /// The number of later callers that may go first.
    private static let patience = 3
    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(free: Array((0..<count).reversed())))
    }

    /// Waits for a slot; of several free ones, the caller gets one that `isPreferred` accepts, or
    /// else the one used last.
    ///
    /// - Throws: `CancellationError`.
    func wait(for work: ReadingWork, preferring isPreferred: (Int) -> Bool) async throws -> Int {
        let (id, free) = state.withLock { state in
            state.nextID += 1
            let place = state.free.lastIndex(where: isPreferred) ?? state.free.indices.last
            return (state.nextID, place.map { state.free.remove(at: $0) })
        }
        if let free { return free }
        // A task that is canceled at the end of its wait leaves an entry.
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early: Result<Int, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if let slot = state.free.popLast() { return .success(slot) }
                    state.waiting.append(
                        Waiter(id: id, work: work, continuation: continuation))
                    return nil
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                guard let place = state.waiting.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil as CheckedContinuation<Int, any Error>?
                }
                return state.waiting.remove(at: place).continuation
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Returns a slot, for the next caller.
    func giveBack(_ slot: Int) {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free.append(slot)
                return nil as CheckedContinuation<Int, any Error>?
            }
            return state.removeNext().continuation
        }
        next?.resume(returning: slot)
    }
}
