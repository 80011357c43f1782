import HTTPServer
import Synchronization

/// Slows down clients that try tokens, and counts the attempts.
///
/// Each network (`PeerAddress.group`) has ten wrong tokens free, and one more every five seconds.
/// Beyond that a token is not checked, unless it was right from there before: others behind the
/// same address can keep working while someone guesses.
final class WrongTokens: Sendable {
    /// The numbers of wrong tokens.
    struct Counts: Hashable, Sendable {
        /// Tokens that were checked and are wrong.
        var wrong = 0
        /// Tokens that were not checked, because there were too many wrong ones before.
        var unread = 0
    }

    private struct Network {
        /// Wrong tokens that still count, as of `time`.
        var level = 0.0
        var time: Double
        /// Hashes of tokens that were right, the latest at the end.
        var proven: [String] = []
    }

    private struct State {
        var networks: [String: Network] = [:]
        var counts = Counts()
        /// Wrong tokens that were not reported yet.
        var untold = 0
        var told: Double?
    }

    /// Wrong tokens that are free.
    static let free = 10.0
    /// The seconds after which another one is accepted.
    static let pause = 5.0
    /// Networks that are remembered, so that an attacker with many addresses fills no memory.
    static let mostNetworks = 4096
    /// Right tokens that are remembered of each.
    static let mostProven = 16
    /// Seconds between two lines in the log.
    static let silence = 60.0

    private let state = Mutex(State())
    private let now: @Sendable () -> Double
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - now: seconds on a clock that is never set.
    ///   - tell: gets a line for the log, once a minute at most.
    init(now: @escaping @Sendable () -> Double, tell: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.tell = tell
    }

    /// The counts since the host started.
    var counts: Counts { state.withLock(\.counts) }

    /// How many networks are remembered.
    var networks: Int { state.withLock(\.networks.count) }

    /// The seconds after which a token from an address is checked; nil for now.
    func wait(for sha256: String, from peer: String) -> Int? {
        let name = PeerAddress(peer).group
        let time = now()
        return state.withLock { state in
            guard let network = state.networks[name], !network.proven.contains(sha256) else {
                return nil
            }
            let excess = Self.level(of: network, at: time) - (Self.free - 1)
            guard excess > 0 else { return nil }
            state.counts.unread += 1
            return max(1, Int((excess * Self.pause).rounded(.up)))
        }
    }

    /// A token was wrong.
    func wrong(_ sha256: String, from peer: String) {
        let name = PeerAddress(peer).group
        let time = now()
        let line = state.withLock { state -> String? in
            var network = Self.network(name, in: &state, at: time)
            // A removed token may be sent again and again; it counts once.
            network.level = min(Self.level(of: network, at: time) + 1, Self.free)
            network.time = time
            network.proven.removeAll { $0 == sha256 }
            state.networks[name] = network
            state.counts.wrong += 1
            state.untold += 1
            if let told = state.told, time - told < Self.silence { return nil }
            defer { (state.untold, state.told) = (0, time) }
            return
                "Wrong tokens: \(state.untold) since the last such line, \(state.counts.wrong) in all; the latest from \(name)."
        }
        if let line { tell(line) }
    }

    /// A token was right.
    func right(_ sha256: String, from peer: String) {
        let name = PeerAddress(peer).group
        let time = now()
        state.withLock { state in
            var network = Self.network(name, in: &state, at: time)
            network.level = Self.level(of: network, at: time)
            network.time = time
            if network.proven.last != sha256 {
                network.proven.removeAll { $0 == sha256 }
                network.proven = network.proven.suffix(Self.mostProven - 1) + [sha256]
            }
            state.networks[name] = network
        }
    }

    private static func level(of network: Network, at time: Double) -> Double {
        max(0, network.level - max(0, time - network.time) / pause)
    }

    /// The network of that name; a new one takes the room of those that were quiet for longest.
    private static func network(_ name: String, in state: inout State, at time: Double) -> Network {
        if let network = state.networks[name] { return network }
        if state.networks.count >= mostNetworks {
            let oldest = state.networks.sorted { $0.value.time < $1.value.time }
            for (name, _) in oldest.prefix(mostNetworks / 4) { state.networks[name] = nil }
        }
        return Network(time: time)
    }
}
