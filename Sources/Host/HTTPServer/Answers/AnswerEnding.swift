import Synchronization

/// Ends an answer early, from any thread: its connection is cut, and what the peer has not received
/// is discarded.
public final class AnswerEnding: Sendable {
    private struct State {
        /// Cuts the answer's connection while it is being sent.
        var cut: (@Sendable () -> Void)?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// An ending for one answer.
    public init() {}

    /// Ends the answer; one that was not begun yet is not sent.
    public func end() {
        // The lock keeps the connection from serving another request meanwhile.
        state.withLock { state in
            state.hasEnded = true
            state.cut?()
        }
    }

    /// Records that the answer is being sent; false if it may not be.
    ///
    /// - Parameter cut: cuts the answer's connection.
    func begin(_ cut: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.hasEnded { state.cut = cut }
            return !state.hasEnded
        }
    }

    /// Records that the answer was sent; its connection may then serve another request.
    func sent() { state.withLock { $0.cut = nil } }
}
