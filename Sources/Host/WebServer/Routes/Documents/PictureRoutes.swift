import HTTPServer

/// `/api/v1/jobs/{id}/pages/{number}/thumbnail`: pictures of arriving pages.
struct PictureRoutes {
    let context: ServerContext

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/jobs/{id}/pages/{number}/thumbnail", needs: .scan, group: "Jobs",
                "A small picture of a captured page, whose number is the page's `captured`",
                query: [
                    .init(
                        name: "version", schema: .integer(minimum: 0),
                        summary:
                            "The page's `pictureVersion`, against pictures that a browser kept"
                    )
                ],
                answers: [
                    .init(status: 200, summary: "The picture", type: "image/jpeg"),
                    .init(status: 304, summary: "It is the same as before", type: nil),
                ], problems: [404], work: { [context] in try Self.thumbnail($0, context) })
        ]
    }

    private static func thumbnail(_ call: Call, _ context: ServerContext) throws -> HTTPResponse {
        let found = Int(call["number"]).flatMap {
            context.jobs.pictures.picture(of: call["id"], $0)
        }
        guard let picture = found else {
            guard context.jobs.status(call["id"]) != nil else {
                throw Problem.noSuchThing("job", call["id"], "See /api/v1/jobs for the list.")
            }
            throw Problem.noSuchThing(
                "picture", call["number"],
                "'hasPicture' of a job's page is true if there is one; the host keeps the latest until it stops."
            )
        }
        let tag = "\"\(context.run)-\(picture.serial)\""
        // After the host's restart, a continued job may have another picture with this number.
        let headers: [(name: String, value: String)] = [
            ("ETag", tag), ("Cache-Control", "private, no-cache"),
        ]
        if call.request.head.header("If-None-Match") == tag {
            return HTTPResponse(status: 304, headers: headers)
        }
        return HTTPResponse(
            status: 200, headers: [("Content-Type", "image/jpeg")] + headers,
            body: .bytes(picture.bytes))
    }
}
