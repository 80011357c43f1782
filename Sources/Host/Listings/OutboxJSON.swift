package import Delivery

/// What waits for sinks, as `outbox --json` and the HTTP API show it.
package struct OutboxJSON: Encodable, Sendable {
    /// A document on its way to one sink; of a damaged item, only its id and the problem are known.
    package struct Item: Encodable, Sendable {
        package var id: String
        package var sink: String?
        package var title: String?
        package var pages: Int?
        package var state: String?
        package var attempts: Int?
        package var bytes: Int?
        package var sent: Int?
        package var nextTry: Double?
        package var problem: String?
        /// Where it is on this machine; nil over the network.
        package var folder: String?

        /// An item of the outbox as it was read.
        package init(_ id: String, _ result: Result<OutboxItem, DeliveryError>, sent: Int?) {
            (self.id, self.sent) = (id, sent)
            switch result {
            case .failure(let error): problem = error.message
            case .success(let item):
                (sink, title, pages) = (item.sink, item.title, item.pages)
                (state, attempts, bytes) = (item.state.rawValue, item.attempts, item.bytes)
                (nextTry, problem) = (item.nextTry, item.problem)
            }
        }
    }

    package var items: [Item]

    package init(items: [Item]) { self.items = items }
}
