import Synchronization

/// Wakes whoever waits for something to change.
final class Signal: Sendable {
    private struct State {
        var count = 0
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// How often something has changed.
    var count: Int { state.withLock(\.count) }

    /// Says that something has changed.
    func raise() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once something has changed since the count was `seen`, or the time has come.
    func wait(after seen: Int, until deadline: ContinuousClock.Instant) async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let timer = Task { [self] in
            try? await Task.sleep(until: deadline)
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isLate = state.withLock { state in
                let isLate = state.count != seen || ContinuousClock.now >= deadline
                if !isLate { state.waiting[number] = continuation }
                return isLate
            }
            if isLate { continuation.resume() }
        }
        timer.cancel()
    }
}
