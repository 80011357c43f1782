import Synchronization

/// Hands out the slots of a pool: one caller each, first come first served, but short work before long.
final class TurnTable: Sendable {
    private struct Waiter {
        var id: UInt64
        var isShort: Bool
        var continuation: CheckedContinuation<Int, any Error>
    }

    private struct State {
        var free: [Int]
        /// Those with short work first, and both kinds in the order they came.
        var waiting: [Waiter] = []
        var cancelled: Set<UInt64> = []
        var nextID: UInt64 = 0
    }
    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(free: Array((0..<count).reversed())))
    }

    /// Waits for a slot; of several free ones, one that `isPreferred` says yes to, else the one used last.
    ///
    /// - Parameter isShort: true for work that takes a fraction of what others do.
    /// - Throws: `CancellationError`.
    func wait(isShort: Bool = false, preferring isPreferred: (Int) -> Bool) async throws -> Int {
        let (id, free) = state.withLock { state in
            state.nextID += 1
            let place = state.free.lastIndex(where: isPreferred) ?? state.free.indices.last
            return (state.nextID, place.map { state.free.remove(at: $0) })
        }
        if let free { return free }
        // A cancellation that comes when the wait is over leaves its mark behind.
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early: Result<Int, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if let slot = state.free.popLast() { return .success(slot) }
                    let place = isShort ? state.waiting.firstIndex { !$0.isShort } : nil
                    state.waiting.insert(
                        Waiter(id: id, isShort: isShort, continuation: continuation),
                        at: place ?? state.waiting.endIndex)
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

    /// Gives a slot back, to the one whose turn it is.
    func giveBack(_ slot: Int) {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free.append(slot)
                return nil as CheckedContinuation<Int, any Error>?
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: slot)
    }
}
