import Archive
import Documents
import FileNames
import HTTPServer
import Listings

/// `/api/v1/documents` and `/api/v1/search`: the documents of the archive.
struct DocumentRoutes {
    let context: ServerContext

    private struct DocumentsJSON: Encodable, Sendable {
        var documents: [DocumentJSON]
        /// The number of all documents, without the limit.
        var total: Int
    }

    private struct SuggestionsJSON: Encodable, Sendable {
        var type: String?
        var tags: [String]

        init(_ suggestions: DocumentSuggestions) {
            type = suggestions.type?.rawValue
            tags = suggestions.tags
        }
    }

    private static let filters: [Route.Parameter] = [
        .init(
            name: "type", schema: .string(choices: Schemas.types),
            summary: "Only documents of this type"),
        .init(name: "tag", schema: .string(), summary: "Only documents with this tag"),
        .init(
            name: "field", schema: .string(),
            summary: "Only documents with this text in that field, such as total=12.50"),
        .init(
            name: "since", schema: .string(),
            summary:
                "Only documents scanned on that day or later, such as 2026-05-17, 2026-05 or 2026"),
        .init(name: "before", schema: .string(), summary: "Only documents scanned before that day"),
    ]

    private static let portion: [Route.Parameter] = [
        .init(
            name: "limit", schema: .integer(minimum: 1, maximum: 1000),
            summary: "The maximum number to list: 100 documents or 20 pages unless given"),
        .init(
            name: "offset", schema: .integer(minimum: 0, maximum: 1_000_000),
            summary: "How many to skip"),
    ]

    private static let whole = Route.Answer(
        status: 200, summary: "The document", schema: .reference("WholeDocument"),
        hasVersion: true)

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/documents", needs: .read, group: "Documents",
                "List the documents",
                query: Self.filters + Self.portion + [
                    .init(name: "trash", schema: .boolean, summary: "List the trash instead"),
                    .init(
                        name: "sort",
                        schema: .string(choices: DocumentOrder.allCases.map(\.rawValue)),
                        summary: "The order: newest unless given"),
                ],
                answers: [
                    .init(
                        status: 200, summary: "The documents",
                        schema: .record([
                            "documents": .array(.reference("Document")),
                            "total": .integer(minimum: 0),
                        ]))
                ],
                problems: [422, 500, 503], work: { [context] in try await Self.list($0, context) }),
            Route(
                "GET", "/api/v1/search", needs: .read, group: "Documents",
                "Search the pages of all documents",
                query: [
                    .init(
                        name: "q", schema: .string(), isRequired: true,
                        summary:
                            "Words, \"phrases\", prefix*, -not, type:, tag:, field:, since:, before:"
                    )
                ]
                    + Self.portion,
                answers: [
                    .init(
                        status: 200,
                        summary: "The pages, best first; if very many match, newest first",
                        schema: .reference("SearchResult"))
                ],
                problems: [422, 500, 503], work: { [context] in try await Self.search($0, context) }
            ),
            Route(
                "GET", "/api/v1/documents/{id}", needs: .read, group: "Documents",
                "Show everything known about a document",
                query: [
                    .init(name: "text", schema: .boolean, summary: "Include the text of its pages")
                ], answers: [Self.whole],
                problems: [404, 500, 503],
                work: { [context] call in
                    let id = try Self.id(call)
                    let withText = try call.truth("text")
                    // The version is read first: if the document changes in between, the old
                    // version gets 412.
                    let version = try await context.archive.with(call.user) {
                        try $0.version(of: id)
                    }
                    return try await context.archive.answer(call) {
                        WholeDocumentJSON(try $0.document(id), withText: withText).shown(to: call)
                    }.with(version)
                }),
            Route(
                "GET", "/api/v1/documents/{id}/suggestions", needs: .read, group: "Documents",
                "Suggest a type and tags, from similar documents",
                answers: [
                    .init(
                        status: 200, summary: "The suggestions",
                        schema: .record(
                            ["tags": .array(.string())],
                            optional: ["type": .string(choices: Schemas.types)]))
                ], problems: [404, 500, 503],
                work: { [context] call in
                    let id = try Self.id(call)
                    return try await context.archive.answer(call) {
                        SuggestionsJSON(try $0.suggestions(for: id))
                    }
                }),
            Route(
                "PATCH", "/api/v1/documents/{id}", needs: .scan, group: "Documents",
                "Change a document's title, type, note, tags, fields or owner; another owner only by a token that sees all documents",
                takesVersion: true, body: Change.schema, answers: [Self.whole],
                problems: [404, 415, 422, 500, 503, 507],
                work: { [context] in try await Self.change($0, context) }),
            Route(
                "GET", "/api/v1/documents/{id}/pages/{number}/image", needs: .read,
                group: "Documents",
                "A page's picture as it was captured",
                answers: Route.Answer.picture, problems: [404, 416, 500, 503],
                work: { [context] in
                    try await Self.picture($0, context) { ($0.image, $0.media) }
                }),
            Route(
                "GET", "/api/v1/documents/{id}/pages/{number}/thumbnail", needs: .read,
                group: "Documents",
                "A page's small picture, cut and turned as the page is",
                query: [
                    .init(
                        name: "version", schema: .string(),
                        summary: "The document's `changed`, against pictures that a browser kept")
                ],
                answers: Route.Answer.picture, problems: [404, 416, 500, 503],
                work: { [context] in
                    try await Self.picture($0, context, isFramed: true) { page in
                        page.thumbnail.map { ($0, "image/jpeg") } ?? (page.image, page.media)
                    }
                }),
        ]
            + [
                step("trash", "Put a document into the trash") { try $0.trash($1, seen: $2) },
                step("restore", "Take a document out of the trash") {
                    try $0.restore($1, seen: $2)
                },
                step("undo", "Undo the last change") { try $0.undo($1, seen: $2) },
                step("redo", "Redo the last undone change") { try $0.redo($1, seen: $2) },
            ]
    }

    private func step(
        _ name: String, _ summary: String,
        _ work: @escaping @Sendable (Archive, DocumentID, Set<DocumentVersion>?) throws -> Void
    ) -> Route {
        Route(
            "POST", "/api/v1/documents/{id}/\(name)", needs: .scan, group: "Documents", summary,
            takesVersion: true, answers: [Self.whole], problems: [403, 404, 422, 500, 503, 507],
            work: { [context] call in
                let (id, seen) = (try Self.id(call), try call.seen())
                return try .document(
                    try await context.archive.with(call.user) { archive in
                        try work(archive, id, seen)
                        return try archive.document(id)
                    }, for: call)
            })
    }

    // MARK: Reading

    static func id(_ call: Call) throws -> DocumentID {
        guard let number = Int64(call["id"]), number > 0 else {
            throw Problem.noSuchThing(
                "document", call["id"], "See /api/v1/documents for the list.")
        }
        return DocumentID(rawValue: number)
    }

    private static func list(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse {
        let limit = try call.number("limit", 1...1000, default: 100)
        let offset = try call.number("offset", 0...1_000_000, default: 0)
        let filter = DocumentFilter(
            type: try call.text("type").map(SearchQuery.type),
            tags: call.text("tag").map { [$0] } ?? [],
            fields: try call.text("field").map { [try FieldFilter($0)] } ?? [],
            since: try call.text("since").map { try SearchQuery.day($0, "since") },
            before: try call.text("before").map { try SearchQuery.day($0, "before") },
            isTrash: try call.truth("trash"),
            limit: offset + limit, order: try call.choice("sort") ?? .newest)
        let nothing = DocumentsJSON(documents: [], total: 0)
        return try await context.archive.answer(call, absent: nothing) {
            let (documents, total) = try $0.documentList(filter)
            return DocumentsJSON(
                documents: documents.dropFirst(offset).map(DocumentJSON.init), total: total)
        }
    }

    private static func search(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse
    {
        let limit = try call.number("limit", 1...1000, default: 20)
        let offset = try call.number("offset", 0...1_000_000, default: 0)
        let query = try SearchQuery(
            try call.needed("q", "Give words to search for, such as q=invoice+2291."))
        return try await context.archive.answer(call) {
            SearchJSON(try $0.search(query, limit: limit, offset: offset))
        }
    }

    /// A picture of a page; its name is the hash of its contents, so a client may store it forever.
    private static func picture(
        _ call: Call, _ context: ServerContext, isFramed: Bool = false,
        _ choose: @escaping @Sendable (ArchivedPage) -> (ImageHash, String)
    ) async throws -> HTTPResponse {
        let id = try id(call)
        let number = try pageNumber(call)
        let known = call.request.head.header("If-None-Match")
        return try await context.archive.with(call.user) { archive in
            guard let page = try archive.archivedPage(number, of: id, withText: false) else {
                throw noPage(call["number"])
            }
            let (hash, media) = choose(page)
            let frame = isFramed ? page.frame.changed : nil
            let tag = "\"\(hash.hexadecimal)\(frame.map { "-" + $0.mark } ?? "")\""
            // With `no-cache`, the client asks each time, because the page with this number may
            // become another one. An unchanged picture is not sent again.
            let headers: [(name: String, value: String)] = [
                ("ETag", tag), ("Cache-Control", "private, no-cache"),
            ]
            if known == tag { return HTTPResponse(status: 304, headers: headers) }
            if let frame {
                return HTTPResponse(
                    status: 200, headers: [("Content-Type", "image/jpeg")] + headers,
                    body: .bytes(try frame.thumbnail(of: try archive.image(hash))))
            }
            return HTTPResponse(
                status: 200, headers: [KeptMedia.header(media)] + headers,
                body: .file(try archive.imageFile(hash)))
        }
    }

    static func pageNumber(_ call: Call) throws -> Int {
        guard let number = Int(call["number"]) else { throw noPage(call["number"]) }
        return number
    }

    static func noPage(_ number: String) -> Problem {
        .noSuchThing("page", number, "The document's own address lists its pages.")
    }

    // MARK: Changing

    private struct Change: Decodable {
        var title: String?
        var type: String?
        var note: String?
        var addTags: [String]?
        var removeTags: [String]?
        var fields: [String: String?]?
        var owner: String?

        static let schema = Schema.anyOf([
            "title": .string(), "type": .string(choices: Schemas.types), "note": .string(),
            "addTags": .some(.string()), "removeTags": .some(.string()),
            "fields": .limited(.dictionary(.nullable(.string())), ["minProperties": 1]),
            "owner": .string(description: "Its owner's name; empty for everyone"),
        ])

        func actions() throws -> [ReviewAction] {
            var actions: [ReviewAction] = []
            if let title {
                guard title.contains(where: { !$0.isWhitespace }) else {
                    throw Problem(
                        422, "title-empty",
                        detail: "A document needs a title, so that it can be found in lists.")
                }
                actions.append(.setTitle(title))
            }
            if let type { actions.append(.setType(try SearchQuery.type(named: type))) }
            if let note { actions.append(.setNote(note)) }
            actions +=
                (addTags ?? []).map { .addTag($0) } + (removeTags ?? []).map { .removeTag($0) }
            actions += (fields ?? [:]).sorted { $0.key < $1.key }.map {
                .setField(name: $0.key, value: $0.value, source: nil)
            }
            return actions
        }
    }

    private static func change(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse
    {
        let id = try id(call)
        let change = try call.decoded(Change.self)
        let (actions, seen) = (try change.actions(), try call.seen())
        guard !actions.isEmpty || change.owner != nil else {
            throw Problem.noChange("Give a title, type, note, tags, fields or owner.")
        }
        return try .document(
            try await context.archive.with(call.user) { archive in
                try archive.perform(actions, owner: change.owner, on: id, seen: seen)
                return try archive.document(id)
            }, for: call)
    }
}
