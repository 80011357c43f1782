package import Delivery

/// The documents that wait for sinks, for `outbox --json` and the HTTP API.
package struct OutboxJSON: Encodable, Sendable {
    /// A document that waits for a sink; of a damaged item, only the id and the problem are known.
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
        /// The number of the archive's document; nil when unknown.
        package var document: Int64?
        /// The item's folder on this machine; nil over the network.
        package var folder: String?

        /// The JSON of an item that was read from the outbox.
        package init(_ id: String, _ result: Result<OutboxItem, DeliveryError>, sent: Int?) {
            (self.id, self.sent) = (id, sent)
            switch result {
            case .failure(let error): problem = error.message
            case .success(let item):
                (sink, title, pages) = (item.sink, item.title, item.pages)
                (state, attempts, bytes) = (item.state.rawValue, item.attempts, item.bytes)
                (nextTry, problem, document) = (item.nextTry, item.problem, item.document)
            }
        }
    }

    package var items: [Item]

    package init(items: [Item]) { self.items = items }
}
