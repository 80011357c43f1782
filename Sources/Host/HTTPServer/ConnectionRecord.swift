import CMicroHTTPD
import Glibc
import Synchronization

/// What is known about one connection: how long it has been in its state.
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
        var since: Double
        var isCut = false
    }

    /// Where the connection comes from.
    let peer: PeerAddress
    let watch: RequestWatch
    private let state: Mutex<State>

    init(socket: CInt, peer: PeerAddress, watch: RequestWatch, now: Double) {
        self.peer = peer
        self.watch = watch
        state = Mutex(State(socket: socket, since: now))
    }

    /// A request's first line has come; the rest of its head has `allowance` seconds.
    func begin(now: Double, allowance: Int) {
        state.withLock { state in
            state.phase = .receiving(allowance: allowance)
            state.since = now
        }
    }

    /// Gives the body more time, in seconds from the request's beginning.
    func allow(_ seconds: Int) {
        state.withLock { state in
            if case .receiving = state.phase { state.phase = .receiving(allowance: seconds) }
        }
    }

    /// The request has come in full.
    func received() { state.withLock { $0.phase = .served } }

    /// The answer has been sent; the next request may come.
    func rest(now: Double) {
        state.withLock { state in
            state.phase = .quiet
            state.since = now
        }
    }

    /// The connection is closed; from now on, another connection may have its socket's number.
    func close() { state.withLock { $0.socket = -1 } }

    /// Since when no request has been coming or answered; nil for a connection with one, and for
    /// one that is cut.
    var idleSince: Double? {
        state.withLock { state in
            if case .quiet = state.phase, !state.isCut { state.since } else { nil }
        }
    }

    /// Whether it was cut, and is about to close.
    var isCut: Bool { state.withLock(\.isCut) }

    /// Cuts the connection to make room if it is still idle; false when it is not.
    func cutIfIdle() -> Bool {
        state.withLock { state in
            guard case .quiet = state.phase, !state.isCut, state.socket >= 0 else { return false }
            state.isCut = true
            shutdown(state.socket, CInt(SHUT_RDWR))
            return true
        }
    }

    /// Cuts the connection (`shutdown`) when its peer takes too long; true when it was cut now.
    ///
    /// - Parameter idle: seconds without a request.
    func cut(now: Double, idle: Int) -> Bool {
        state.withLock { state in
            let allowance: Int
            switch state.phase {
            case .quiet: allowance = idle
            case .receiving(let seconds): allowance = seconds
            case .served: return false
            }
            guard state.socket >= 0, !state.isCut, now - state.since > Double(allowance) else {
                return false
            }
            state.isCut = true
            shutdown(state.socket, CInt(SHUT_RDWR))
            return true
        }
    }
}
