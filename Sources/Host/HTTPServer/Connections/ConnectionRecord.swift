import CMicroHTTPD
import Glibc
import Synchronization

/// The state of one connection, and the time since it began.
final class ConnectionRecord: Sendable {
    private enum Phase {
        /// No part of a request has arrived since `since`.
        case quiet
        /// A request's head or body is arriving.
        case receiving(allowance: Int)
        /// The request has arrived completely.
        case served
    }

    private struct State {
        var socket: CInt
        var phase = Phase.quiet
        var since: Double
        var isCut = false
    }

    /// The address of the other side.
    let peer: PeerAddress
    let watch: RequestWatch
    private let state: Mutex<State>

    init(socket: CInt, peer: PeerAddress, watch: RequestWatch, now: Double) {
        self.peer = peer
        self.watch = watch
        state = Mutex(State(socket: socket, since: now))
    }

    /// Records that a request's first line has arrived; the rest of its head may take `allowance`
    /// seconds.
    func begin(now: Double, allowance: Int) {
        state.withLock { state in
            state.phase = .receiving(allowance: allowance)
            state.since = now
        }
    }

    /// Allows more time for the body, in seconds from the request's beginning.
    func allow(_ seconds: Int) {
        state.withLock { state in
            if case .receiving = state.phase { state.phase = .receiving(allowance: seconds) }
        }
    }

    /// Records that the request has arrived completely.
    func received() { state.withLock { $0.phase = .served } }

    /// Records that the answer was sent; the next request may arrive.
    func rest(now: Double) {
        state.withLock { state in
            state.phase = .quiet
            state.since = now
        }
    }

    /// Records that the connection is closed; another one may then have the same socket number.
    func close() { state.withLock { $0.socket = -1 } }

    /// The time since which the connection has had no request; nil while it has one, and after a
    /// cut.
    var idleSince: Double? {
        state.withLock { state in
            if case .quiet = state.phase, !state.isCut { state.since } else { nil }
        }
    }

    /// True if the connection was cut, and is about to close.
    var isCut: Bool { state.withLock(\.isCut) }

    /// Cuts the connection and discards what its peer has not received (`SO_LINGER`).
    func cut() {
        state.withLock { state in
            guard state.socket >= 0, !state.isCut else { return }
            state.isCut = true
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                state.socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            shutdown(state.socket, CInt(SHUT_RDWR))
        }
    }

    /// Cuts an idle connection to make room; false when it is no longer idle.
    func cutIfIdle() -> Bool {
        state.withLock { state in
            guard case .quiet = state.phase, !state.isCut, state.socket >= 0 else { return false }
            state.isCut = true
            shutdown(state.socket, CInt(SHUT_RDWR))
            return true
        }
    }

    /// Cuts the connection (`shutdown`) if its peer takes too long; true when this call cut it.
    ///
    /// - Parameter idle: the allowed seconds without a request.
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
