import Synchronization

/// The body of an endless answer: events, or one picture after another.
///
/// One side writes, and the server reads. Data that the peer has not received yet waits in memory,
/// up to a limit; a peer that falls behind further is dropped, because it would use up the memory
/// for others.
public final class HTTPStream: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var taken = 0
        var isFinished = false
        var isClosed = false
        var resume: (@Sendable () -> Void)?
        var onClose: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let limit: Int

    /// A stream that keeps at most `limit` bytes for a slow peer.
    public init(limit: Int = 1 << 20) { self.limit = limit }

    /// Adds bytes to the answer.
    ///
    /// - Returns: false when no one reads anymore, or when more than the limit would wait; the
    ///   stream has then ended.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        let (isOpen, resume) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard !state.isClosed, !state.isFinished else { return (false, nil) }
            if state.waiting.count - state.taken + bytes.count > limit {
                state.isFinished = true
            } else {
                state.waiting += bytes
            }
            defer { state.resume = nil }
            return (!state.isFinished, state.resume)
        }
        resume?()
        return isOpen
    }

    /// True when the peer has received everything so far, so that a live view may write the next
    /// picture.
    public var isDrained: Bool { state.withLock { $0.waiting.count == $0.taken } }

    /// Ends the answer after everything that was written.
    public func finish() {
        let resume = state.withLock { state in
            state.isFinished = true
            defer { state.resume = nil }
            return state.resume
        }
        resume?()
    }

    /// Ends the answer immediately and discards data that the peer has not received.
    public func cut() {
        state.withLock { state in
            state.waiting = []
            state.taken = 0
        }
        finish()
    }

    /// Calls `action` once the peer has gone or the answer has ended; immediately if either has
    /// already happened.
    public func onClose(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isClosed { state.onClose.append(action) }
            return state.isClosed
        }
        if isLate { action() }
    }

    /// The result of a read for the server.
    enum Portion {
        /// This many bytes were copied.
        case bytes(Int)
        /// No bytes are available yet; the reader was suspended.
        case later
        /// No more data will arrive.
        case end
    }

    /// Copies bytes for the server, or puts its reader to sleep.
    ///
    /// - Parameters:
    ///   - sleep: suspends the reader, and returns whether that was possible; called while no
    ///     writer can wake it.
    ///   - wake: wakes the reader, from any thread.
    func read(
        into room: UnsafeMutableRawBufferPointer, sleep: () -> Bool,
        wake: @escaping @Sendable () -> Void
    ) -> Portion {
        state.withLock { state in
            let count = min(room.count, state.waiting.count - state.taken)
            if count > 0 {
                state.waiting[state.taken..<state.taken + count].withUnsafeBytes {
                    room.copyMemory(from: $0)
                }
                state.taken += count
                if state.taken == state.waiting.count {
                    state.waiting.removeAll(keepingCapacity: state.taken < 1 << 16)
                    state.taken = 0
                }
                return .bytes(count)
            }
            guard !state.isFinished, sleep() else { return .end }
            state.resume = wake
            return .later
        }
    }

    /// Informs the writer that no one reads anymore.
    func close() {
        let actions = state.withLock { state in
            state.isClosed = true
            state.resume = nil
            defer { state.onClose = [] }
            return state.onClose
        }
        for action in actions { action() }
    }
}

extension HTTPStream {
    /// The data that was not received yet, for tests of writers.
    package var rest: [UInt8] { state.withLock { Array($0.waiting[$0.taken...]) } }

    /// Disconnects like a peer, for tests of writers.
    package func leave() { close() }
}
