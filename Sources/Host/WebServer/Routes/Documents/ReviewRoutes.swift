import Archive
import Documents
import HTTPServer
import Imaging
import Listings

/// `/api/v1/documents/{id}/…`: changes of a document's pages and their text; `/api/v1/images`.
struct ReviewRoutes {
    let context: ServerContext

    private struct ReviewJSON: Encodable {
        var document: WholeDocumentJSON
        var made: DocumentID?
    }

    var routes: [Route] {
        [
            Route(
                "POST", "/api/v1/documents/{id}/review", needs: .scan, group: "Documents",
                "Correct, turn, cut, replace, delete, move, number, split and merge pages, and change their look, as one change",
                takesVersion: true, body: ReviewOrder.schema,
                answers: [
                    .init(
                        status: 200,
                        summary: "The document, and the one that now has its last pages",
                        schema: .record(
                            ["document": .reference("WholeDocument")],
                            optional: ["made": .integer(minimum: 1)]), hasVersion: true)
                ],
                problems: [403, 404, 415, 422, 500, 503, 507],
                work: { [context] in try await Self.review($0, context) }),
            Route(
                "GET", "/api/v1/documents/{id}/pages/{number}", needs: .read, group: "Documents",
                "Show a page with every word and its place",
                answers: [
                    .init(status: 200, summary: "The page", schema: .reference("ReadPage"))
                ], problems: [404, 500, 503],
                work: { [context] call in
                    let id = try DocumentRoutes.id(call)
                    let number = try DocumentRoutes.pageNumber(call)
                    guard
                        let page = try await context.archive.with(
                            call.user,
                            {
                                try $0.archivedPage(number, of: id)
                            })
                    else { throw DocumentRoutes.noPage(call["number"]) }
                    return try .json(ReadPageJSON(page).cleaned(PublicView.words))
                }),
            Route(
                "GET", "/api/v1/images/{hash}", needs: .read, group: "Documents",
                "A picture by the SHA-256 of its file; it never changes",
                query: [
                    .init(
                        name: "browser", schema: .boolean,
                        summary: "As PNG if it is a TIFF file, which browsers don't show")
                ],
                answers: Route.Answer.picture, problems: [404, 416, 500, 503],
                work: { [context] in try await Self.image($0, context) }),
        ]
    }

    private static func review(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse
    {
        let id = try DocumentRoutes.id(call)
        let (order, seen) = (try call.decoded(ReviewOrder.self), try call.seen())
        let (review, version) = try await context.archive.with(call.user) { archive in
            let review = try archive.document(id, withText: false).review
            let actions = try order.actions(on: review, in: archive)
            let split = try order.split(of: review)
            guard !actions.isEmpty || split != nil || order.merge != nil else {
                throw Problem.noChange("See /api/v1/openapi.json for the possible changes.")
            }
            let made = try archive.change(
                id, actions, splitAfter: split,
                mergeWith: order.merge.map { DocumentID(rawValue: $0) }, seen: seen)
            if let replaced = order.replace {
                try archive.trash(DocumentID(rawValue: replaced.document))
            }
            let document = try archive.document(id)
            return (
                ReviewJSON(
                    document: WholeDocumentJSON(document, withText: false).shown(to: call),
                    made: made),
                document.version
            )
        }
        return try .json(review).with(version)
    }

    /// A picture that a client may store forever, because its name is the hash of its contents.
    private static func image(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse {
        guard let hash = ImageHash(hexadecimal: call["hash"]) else { throw noImage(call["hash"]) }
        let isForBrowser = try call.truth("browser")
        let headers: [(name: String, value: String)] = [
            ("ETag", "\"\(call["hash"])\(isForBrowser ? "-browser" : "")\""),
            ("Cache-Control", "private, max-age=31536000, immutable"),
        ]
        if call.request.head.header("If-None-Match") == headers[0].value {
            return HTTPResponse(status: 304, headers: headers)
        }
        return try await context.archive.with(call.user) { archive in
            guard let media = try archive.media(of: hash) else { throw noImage(call["hash"]) }
            if isForBrowser, media == "image/tiff" {
                return HTTPResponse(
                    status: 200, headers: [("Content-Type", "image/png")] + headers,
                    body: .bytes(
                        try Raster.decoded(from: try archive.image(hash)).encodedPNG()))
            }
            return HTTPResponse(
                status: 200, headers: [KeptMedia.header(media)] + headers,
                body: .file(try archive.imageFile(hash)))
        }
    }

    private static func noImage(_ name: String) -> Problem {
        .noSuchThing("image", name, "The pages of a document name their pictures.")
    }
}
