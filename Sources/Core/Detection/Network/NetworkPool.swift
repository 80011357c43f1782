import Synchronization

/// Networks with their working memory; each detection borrows one, which is kept for the next.
final class NetworkPool: Sendable {
    /// The networks for pages of all kinds, which all detectors share.
    static let pages = NetworkPool(NetworkWeights.pages)
    /// The networks for cards, which all detectors share.
    static let cards = NetworkPool(NetworkWeights.cards)

    /// A network that no detection uses.
    ///
    /// `@unchecked Sendable`: the network is either in the list or with one borrower.
    private struct Idle: @unchecked Sendable {
        let network: PageNetwork
    }

    private let weights: Result<NetworkWeights, DetectionError>
    private let idle = Mutex<[Idle]>([])

    private init(_ weights: Result<NetworkWeights, DetectionError>) {
        self.weights = weights
    }

    /// Calls `body` with a network.
    ///
    /// - Throws: `weights` when the shipped weights can't be used.
    func withNetwork<Result>(
        _ body: (PageNetwork) -> Result
    ) throws(DetectionError) -> Result {
        let network: PageNetwork
        if let waiting = idle.withLock({ $0.popLast() }) {
            network = waiting.network
        } else {
            network = PageNetwork(try weights.get())
        }
        defer {
            let returned = Idle(network: network)
            idle.withLock { $0.append(returned) }
        }
        return body(network)
    }
}
