import FileNames
import Archive
import Documents
import HTTPServer
import Listings

/// `/api/v1/bulk`, `/tags`, `/fields` and `/trash`: changes of many documents at once, and
/// permanent deletion.
struct BulkRoutes {
    let context: ServerContext

    /// The actions on documents besides changes.
    private enum Action: String, Decodable, CaseIterable {
        case trash, restore, delete
    }

    private struct Order: Decodable {
        var documents: [Int64]
        var action: Action?
        var type: String?
        var addTags: [String]?
        var removeTags: [String]?

        static let most = 1000

        static let schema = Schema.record(
            ["documents": .limited(.some(.integer(minimum: 1)), ["maxItems": .integer(most)])],
            optional: [
                "action": .string(choices: Action.allCases.map(\.rawValue)),
                "type": .string(choices: Schemas.types), "addTags": .array(.string()),
                "removeTags": .array(.string()),
            ])

        /// The changes of each document; trashing and deleting come after them.
        func changes() throws -> [ReviewAction] {
            var actions: [ReviewAction] = []
            if let type { actions.append(.setType(try SearchQuery.type(named: type))) }
            return actions + (addTags ?? []).map { .addTag($0) }
                + (removeTags ?? []).map { .removeTag($0) }
        }
    }

    private struct DoneJSON: Encodable {
        struct Failure: Encodable {
            var document: Int64
            var code: String
            var detail: String
        }
        var done: [Int64] = []
        var failed: [Failure] = []

        static let schema = Schema.record([
            "done": .array(.integer(minimum: 1)),
            "failed": .array(
                .record(["document": .integer(), "code": .string(), "detail": .string()])),
        ])
    }

    /// A tag or field, and the number of documents with it.
    private struct Usage: Encodable {
        var name: String
        var documents: Int

        static let schema = Schema.record(["name": .string(), "documents": .integer(minimum: 1)])
    }

    private struct TagsJSON: Encodable {
        var tags: [Usage]

        static let schema = Schema.record(["tags": .array(Usage.schema)])
    }

    private struct FieldsJSON: Encodable {
        var fields: [Usage]

        static let schema = Schema.record(["fields": .array(Usage.schema)])
    }

    var routes: [Route] {
        [
            Route(
                "POST", "/api/v1/bulk", needs: .scan, group: "Documents",
                "Change, trash, restore or delete many documents, one after another",
                body: Order.schema,
                answers: [
                    .init(
                        status: 200,
                        summary: "The documents that were changed, and why the others were not",
                        schema: DoneJSON.schema)
                ],
                problems: [404, 415, 422, 500, 503, 507],
                work: { [context] in try await Self.change($0, context) }),
            Route(
                "GET", "/api/v1/tags", needs: .read, group: "Documents",
                "List the tags of documents outside the trash, the most frequent first",
                answers: [.init(status: 200, summary: "The tags", schema: TagsJSON.schema)],
                problems: [500, 503],
                work: { [context] call in
                    try await context.archive.answer(call, absent: TagsJSON(tags: [])) {
                        TagsJSON(
                            tags: try $0.tags().map {
                                .init(name: $0.name, documents: $0.documents)
                            }
                        )
                    }
                }),
            Route(
                "GET", "/api/v1/fields", needs: .read, group: "Documents",
                "List the fields of documents outside the trash, the most frequent first",
                answers: [.init(status: 200, summary: "The fields", schema: FieldsJSON.schema)],
                problems: [500, 503],
                work: { [context] call in
                    try await context.archive.answer(call, absent: FieldsJSON(fields: [])) {
                        FieldsJSON(
                            fields: try $0.fields().map {
                                .init(name: $0.name, documents: $0.documents)
                            })
                    }
                }),
            Route(
                "DELETE", "/api/v1/documents/{id}", needs: .scan, group: "Documents",
                "Delete a document in the trash for good", takesVersion: true,
                answers: [.init(status: 204, summary: "It is gone", type: nil)],
                problems: [403, 404, 422, 500, 503, 507],
                work: { [context] call in
                    let (id, seen) = (try DocumentRoutes.id(call), try call.seen())
                    try await context.archive.with(call.user) { try $0.delete(id, seen: seen) }
                    return .done
                }),
            Route(
                "DELETE", "/api/v1/trash", needs: .scan, group: "Documents",
                "Delete every document in the trash for good",
                answers: [
                    .init(
                        status: 200, summary: "The documents that are gone",
                        schema: .record(["documents": .array(.integer(minimum: 1))]))
                ],
                problems: [403, 500, 503, 507],
                work: { [context] call in
                    let gone = try await context.archive.with(call.user, absent: []) {
                        try $0.emptyTrash()
                    }
                    return try .json(["documents": gone.map(\.rawValue)])
                }),
        ]
    }

    private static func change(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse
    {
        let order = try call.decoded(Order.self)
        let changes = try order.changes()
        guard !order.documents.isEmpty, order.documents.count <= Order.most else {
            throw Problem.invalid(
                "'documents' has \(order.documents.count) numbers: give from 1 to \(Order.most).")
        }
        guard !changes.isEmpty || order.action != nil else {
            throw Problem.noChange("Give 'action', 'type', 'addTags' or 'removeTags'.")
        }
        return try .json(
            try await context.archive.with(call.user) { archive in
                var answer = DoneJSON()
                for number in order.documents {
                    do {
                        try apply(
                            changes, order.action, to: DocumentID(rawValue: number), in: archive)
                        answer.done.append(number)
                    } catch {
                        let problem = Problem(error)
                        answer.failed.append(
                            .init(document: number, code: problem.code, detail: problem.detail))
                    }
                }
                return answer
            })
    }

    private static func apply(
        _ changes: [ReviewAction], _ action: Action?, to id: DocumentID, in archive: Archive
    ) throws {
        if !changes.isEmpty { try archive.perform(changes, on: id) }
        switch action {
        case .trash: try archive.trash(id)
        case .restore: try archive.restore(id)
        case .delete: try archive.delete(id)
        case nil: break
        }
    }
}
