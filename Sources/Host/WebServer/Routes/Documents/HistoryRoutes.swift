import Archive
import Documents
import FileNames
import HTTPServer
import Listings

/// `/api/v1/history` and `/api/v1/documents/{id}/history`: users' actions on documents.
struct HistoryRoutes {
    let context: ServerContext

    private static let entry = Schema.record(
        [
            "id": .integer(minimum: 1), "made": .moment, "station": .string(),
            "action": .string(choices: AuditAction.allCases.map(\.rawValue)),
            "document": .integer(minimum: 1), "title": .string(),
        ],
        optional: ["name": .string(), "changes": .array(.string()), "sink": .string()])

    private static let answers = [
        Route.Answer(
            status: 200, summary: "The entries, the newest first",
            schema: .record(["entries": .array(entry)]))
    ]

    private static let portion: [Route.Parameter] = [
        .init(
            name: "limit", schema: .integer(minimum: 1, maximum: 1000),
            summary: "The maximum number of entries: 100 unless given"),
        .init(
            name: "before", schema: .integer(minimum: 1),
            summary: "Only entries before the one with this `id`: the last of the answer before"),
    ]

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/documents/{id}/history", needs: .read, group: "Documents",
                "Show who scanned, changed, sent and trashed a document; of a deleted one only to a token that sees all documents",
                query: Self.portion, answers: Self.answers, problems: [404, 500, 503],
                work: { [context] call in
                    try await Self.show(call, try DocumentRoutes.id(call), context)
                }),
            Route(
                "GET", "/api/v1/history", needs: .admin, group: "Documents",
                "Show who did what with all documents; only to a token that sees all documents",
                query: Self.portion, answers: Self.answers, problems: [403, 422, 500, 503],
                work: { [context] call in try await Self.show(call, nil, context) }),
        ]
    }

    private static func show(
        _ call: Call, _ document: DocumentID?, _ context: ServerContext
    ) async throws -> HTTPResponse {
        let limit = try call.number("limit", 1...1000, default: 100)
        let before = try call.number("before", 1...Schema.largest, default: Schema.largest)
        let nothing = document == nil ? HistoryJSON([]) : nil
        return try await context.archive.answer(call, absent: nothing) { archive in
            var history = HistoryJSON(
                try archive.history(of: document, before: Int64(before), limit: limit))
            for index in history.entries.indices {
                history.entries[index].sink = history.entries[index].sink.map(PlaceNames.name)
            }
            return history
        }
    }
}
