import Synchronization

/// Networks with their working memory, lent out one to each detection at a time and kept for the
/// next.
final class NetworkPool: Sendable {
    /// The one that all detectors share.
    static let shared = NetworkPool()

    /// A network that no one else uses.
    ///
    /// `@unchecked Sendable`: it is in the list or with one borrower, never both.
    private struct Idle: @unchecked Sendable {
        let network: PageNetwork
    }

    private let idle = Mutex<[Idle]>([])

    /// Lends a network for the time of `body`.
    ///
    /// - Throws: `weights` when the shipped weights can't be used.
    func withNetwork<Result>(
        _ body: (PageNetwork) -> Result
    ) throws(DetectionError) -> Result {
        let network: PageNetwork
        if let waiting = idle.withLock({ $0.popLast() }) {
            network = waiting.network
        } else {
            network = PageNetwork(try NetworkWeights.shipped.get())
        }
        defer {
            let returned = Idle(network: network)
            idle.withLock { $0.append(returned) }
        }
        return body(network)
    }
}
