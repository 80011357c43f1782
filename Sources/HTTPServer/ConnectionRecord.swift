import Glibc
import Synchronization

/// What is known of one connection: how long it has been doing what it does.
final class ConnectionRecord: Sendable {
    private enum Phase {
        /// Nothing of a request has come since `since`.
        case quiet
        /// A request's head or body is coming.
        case receiving(allowance: Int)
        /// The request has come in full.
        case served
    }

    private struct State {
        var socket: CInt
        var phase = Phase.quiet
        var since: Int
    }

    private let state: Mutex<State>

    init(socket: CInt, now: Int) { state = Mutex(State(socket: socket, since: now)) }

    /// A request's first line has come; the rest of its head has `allowance` seconds.
    func begin(now: Int, allowance: Int) {
        state.withLock { state in
            state.phase = .receiving(allowance: allowance)
            state.since = now
        }
    }

    /// More time for the body, in seconds from the request's begin.
    func allow(_ seconds: Int) {
        state.withLock { state in
            if case .receiving = state.phase { state.phase = .receiving(allowance: seconds) }
        }
    }

    /// The request has come in full.
    func received() { state.withLock { $0.phase = .served } }

    /// The answer has gone; the next request may come.
    func rest(now: Int) {
        state.withLock { state in
            state.phase = .quiet
            state.since = now
        }
    }

    /// The connection is closed; its socket's number may be another's from now on.
    func close() { state.withLock { $0.socket = -1 } }

    /// Cuts the connection (`shutdown`) when its peer takes too long.
    ///
    /// - Parameter idle: seconds without a request.
    func cut(now: Int, idle: Int) {
        state.withLock { state in
            let allowance: Int
            switch state.phase {
            case .quiet: allowance = idle
            case .receiving(let seconds): allowance = seconds
            case .served: return
            }
            guard state.socket >= 0, now - state.since > allowance else { return }
            shutdown(state.socket, CInt(SHUT_RDWR))
        }
    }
}
