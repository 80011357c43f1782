import HTTPServer
import Synchronization

/// Slows down clients that guess tokens, and counts the attempts.
///
/// Each network (`PeerAddress.group`) has ten free wrong tokens, and one more every five seconds.
/// Beyond that, a token is not checked, unless it was right from that network before: others behind
/// the same address can keep working while someone guesses.
final class WrongTokens: Sendable {
    /// The numbers of wrong tokens.
    struct Counts: Hashable, Sendable {
        /// The number of checked, wrong tokens.
        var wrong = 0
        /// The number of tokens that were not checked, after too many wrong ones.
        var unread = 0
    }

    private struct Network {
        /// The number of wrong tokens that still count, at `time`.
        var level = 0.0
        var time: Double
        /// The hashes of tokens that were right, with the latest at the end.
        var proven: [String] = []
    }

    private struct State {
        var networks: [String: Network] = [:]
        var counts = Counts()
        /// The number of wrong tokens that were not reported yet.
        var untold = 0
        var told: Double?
    }

    /// The number of free wrong tokens.
    static let free = 10.0
    /// The seconds until another wrong token is free.
    static let pause = 5.0
    /// The maximum number of networks to remember, so that an attacker with many addresses can't
    /// fill the memory.
    static let mostNetworks = 4096
    /// The maximum number of remembered right tokens of each network.
    static let mostProven = 16
    /// The seconds between two lines in the log.
    static let silence = 60.0

    private let state = Mutex(State())
    private let now: @Sendable () -> Double
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - now: the seconds of a clock that can't be set.
    ///   - tell: gets a line for the log, at most once a minute.
    init(now: @escaping @Sendable () -> Double, tell: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.tell = tell
    }

    /// The counts since the host started.
    var counts: Counts { state.withLock(\.counts) }

    /// The number of remembered networks.
    var networks: Int { state.withLock(\.networks.count) }

    /// The seconds until a token from an address is checked; nil for now.
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

    /// Records a wrong token.
    func wrong(_ sha256: String, from peer: String) {
        let name = PeerAddress(peer).group
        let time = now()
        let line = state.withLock { state -> String? in
            var network = Self.network(name, in: &state, at: time)
            // A removed token may be sent repeatedly, but counts once.
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

    /// Records a right token.
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

    /// The network with that name; a new one replaces those that were quiet for the longest time.
    private static func network(_ name: String, in state: inout State, at time: Double) -> Network {
        if let network = state.networks[name] { return network }
        if state.networks.count >= mostNetworks {
            let oldest = state.networks.sorted { $0.value.time < $1.value.time }
            for (name, _) in oldest.prefix(mostNetworks / 4) { state.networks[name] = nil }
        }
        return Network(time: time)
    }
}
