import Synchronization

/// Passes a process's lines on, drops some when there are too many, and keeps the last ones.
package final class ProcessLog: Sendable {
    private let write: @Sendable (_ level: String?, _ text: String) -> Void
    private let state = Mutex(State())

    private struct State {
        var bucket = LeakyBucket(capacity: 1000, perSecond: 200)
        var dropped = 0
        var last: [String] = []
    }

    /// A log that passes lines of at most 4,096 characters to `write`, from the thread that adds
    /// them.
    package init(write: @escaping @Sendable (_ level: String?, _ text: String) -> Void) {
        self.write = write
    }

    /// Adds a line; control characters are replaced, because the log may be shown on a terminal.
    package func add(_ text: String, level: String? = nil) {
        let clean = String(
            String.UnicodeScalarView(
                text.prefix(4096).unicodeScalars.map {
                    $0.value < 32 && $0 != "\t" || (127..<160).contains($0.value) ? "\u{FFFD}" : $0
                }))
        let lines = state.withLock { state -> [String] in
            state.last = state.last.suffix(2) + [clean]
            guard state.bucket.add(at: .now) else {
                state.dropped += 1
                return []
            }
            defer { state.dropped = 0 }
            return (state.dropped > 0 ? ["(\(state.dropped) lines left out)"] : []) + [clean]
        }
        for line in lines { write(level, line) }
    }

    /// The last line that is not empty, for the message about a crash.
    package var lastWords: String? {
        state.withLock { $0.last.last { !$0.allSatisfy(\.isWhitespace) } }
    }
}

/// Counts events with a limit on their rate: at most `capacity` at once, and `perSecond` on
/// average.
package struct LeakyBucket {
    private let capacity: Double
    private let perSecond: Double
    private var level = 0.0
    private var last: ContinuousClock.Instant?

    /// A bucket without events.
    package init(capacity: Double, perSecond: Double) {
        self.capacity = capacity
        self.perSecond = perSecond
    }

    /// Adds one event; false when the limit is reached, and the event is not added.
    package mutating func add(at now: ContinuousClock.Instant) -> Bool {
        if let last { level = max(0, level - (now - last) / .seconds(1) * perSecond) }
        last = now
        guard level + 1 <= capacity else { return false }
        level += 1
        return true
    }
}
