import Clocks
import Synchronization

/// Wakes tasks that wait for something to change.
final class Signal: Sendable {
    private struct State {
        var count = 0
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// The number of changes.
    var count: Int { state.withLock(\.count) }

    /// Records a change.
    func raise() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once the count of changes is no longer `seen`, or the time is up.
    func wait(after seen: Int, atMost limit: Duration) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let timer = Task { [self] in
            await clock.pause(for: limit)
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isLate = state.withLock { state in
                let isLate = state.count != seen || limit <= .zero
                if !isLate { state.waiting[number] = continuation }
                return isLate
            }
            if isLate { continuation.resume() }
        }
        timer.cancel()
    }
}
