import HTTPServer

/// `/api/v1/uploads`: pictures and PDFs from clients, for jobs to scan.
struct UploadRoutes {
    let context: ServerContext

    private struct UploadJSON: Encodable {
        var id: String
        var bytes: Int
    }

    var routes: [Route] {
        [
            Route(
                "POST", "/api/v1/uploads", needs: .scan, group: "Jobs",
                "Send a picture or a PDF; a job with its id in `uploads` scans it, within an hour",
                query: [
                    .init(
                        name: "name", schema: .string(),
                        summary: "The file's name, by which its pages are known")
                ], upload: context.uploads.limits.file,
                answers: [
                    .init(
                        status: 201, summary: "Its id for a job's order",
                        schema: .record(["id": .string(), "bytes": .integer()]))
                ], problems: [404, 413, 429, 507],
                work: { [context] call in
                    guard case .file(let path, let count) = call.request.body else {
                        throw Problem.invalid("Send a picture or a PDF as the request's body.")
                    }
                    let id = try context.uploads.keep(
                        path, bytes: count, name: call.text("name"))
                    return try .json(UploadJSON(id: id, bytes: count), status: 201)
                })
        ]
    }
}
