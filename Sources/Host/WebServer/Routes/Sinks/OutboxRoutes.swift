import Archive
import BlockingWork
import Delivery
import Documents
import ExpectedFailures
import FileNames
import HTTPServer
import Listings

/// `/api/v1/outbox`: documents that wait for their sinks.
struct OutboxRoutes {
    let context: ServerContext

    private static let item = Schema.record(
        ["id": .string()],
        optional: [
            "sink": .string(), "title": .string(), "pages": .integer(minimum: 0),
            "state": .string(), "attempts": .integer(minimum: 0), "bytes": .integer(minimum: 0),
            "sent": .integer(minimum: 0), "nextTry": .number, "problem": .string(),
            "document": .integer(minimum: 1),
        ])

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/outbox", needs: .scan, group: "Sinks",
                "List what waits for its sink, and why",
                answers: [
                    .init(
                        status: 200, summary: "The items",
                        schema: .record(["items": .array(Self.item)]))
                ],
                work: { [context] call in
                    let store = try context.sinks.outbox().store
                    let items = await onOwnThread { store.items() }.filter {
                        OwnItems.isVisible($0.item, to: call.user)
                    }
                    let documents = await Self.documents(items.map(\.item), call.user, context)
                    return try .json(
                        OutboxJSON(
                            items: items.map { id, result in
                                var item = OutboxJSON.Item(
                                    id, result, sent: store.sentBytes(of: id))
                                item.problem = Self.shown(result, isWhole: call.scope == .admin)
                                item.document = item.document ?? documents[id]
                                return item
                            }))
                }),
            Route(
                "DELETE", "/api/v1/outbox/{id}", needs: .scan, group: "Sinks",
                "Delete an item and its document for good",
                answers: [.init(status: 204, summary: "It is deleted", type: nil)],
                problems: [404, 409, 500],
                work: { [context] call in
                    let id = call["id"]
                    let store = try context.sinks.outbox().store
                    let owner = try await onOwnThread {
                        let owner = try Self.owner(of: id, store)
                        try store.drop(id)
                        return owner
                    }
                    context.events.publish("outbox", "{}", of: owner)
                    return .done
                }),
            Route(
                "POST", "/api/v1/outbox/{id}/retry", needs: .scan, group: "Sinks",
                "Try to deliver an item now",
                answers: [
                    .init(
                        status: 204, summary: "The sink has it, and it left the outbox", type: nil)
                ], problems: [404, 409, 500, 502],
                work: { [context] call in
                    let id = call["id"]
                    let outbox = try context.sinks.outbox()
                    let delivery = try await onOwnThread {
                        _ = try Self.owner(of: id, outbox.store)
                        return try outbox.deliver(id)
                    }
                    context.events.publish("outbox", "{}", of: delivery.owner)
                    switch delivery.outcome {
                    case .delivered: return .done
                    case .waits(let reason, _), .refused(let reason):
                        throw Problem(
                            502, "sink-unreachable",
                            detail: "'\(delivery.sink)' does not have it yet: \(reason)")
                    }
                }),
        ]
    }

    /// The archive's documents of the items that jobs made, by the items' names.
    ///
    /// An archive that does not answer keeps nobody from seeing the outbox.
    private static func documents(
        _ items: [Result<OutboxItem, DeliveryError>], _ user: ArchiveUser, _ context: ServerContext
    ) async -> [String: Int64] {
        let made = items.compactMap(\.readable).filter {
            $0.document == nil && $0.job != nil && $0.archive == context.archivePlace
        }
        guard !made.isEmpty else { return [:] }
        let found = await ifStillThere {
            try await context.archive.with(user) { archive in
                try made.map { ($0.id, try archive.documents(of: $0.job ?? "").first?.rawValue) }
            }
        }
        return Dictionary((found ?? []).compactMap { id, document in document.map { (id, $0) } }) {
            $1
        }
    }

    /// The owner of an item; nil for everyone.
    ///
    /// - Throws: ``Problem`` 404 when there is none of that id.
    private static func owner(of id: String, _ store: OutboxStore) throws -> String? {
        guard let found = store.items().first(where: { $0.id == id }) else {
            throw Problem.noSuchThing("outbox item", id, "See /api/v1/outbox for the list.")
        }
        return found.item.readable?.user?.name
    }

    /// The problem of an item, without this machine's folders.
    ///
    /// - Parameter isWhole: true to include the service's own text.
    private static func shown(
        _ result: Result<OutboxItem, DeliveryError>, isWhole: Bool
    ) -> String? {
        switch result {
        case .failure(let error): PlaceNames.removed(from: error.message)
        case .success(let item):
            item.problem.map { isWhole ? PlaceNames.removed(from: $0) : PublicView.words($0) }
        }
    }
}
