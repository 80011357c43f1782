import Listings
import Archive
import Delivery
import Documents
import FileNames
import HTTPServer
import ScanService

/// Sending archived documents: as a file for a client, or to named sinks.
struct SendingRoutes {
    let context: ServerContext

    private struct Order: Decodable {
        var sinks: [String]
        var pdf: PDFRequest?
    }

    private struct SentJSON: Encodable {
        struct Item: Encodable {
            var sink: String
            var pages: Int?
            /// The sink's own name for the document.
            var document: String?
            /// The reason why the document waits in the outbox.
            var waiting: String?
            /// The reason why the document was refused.
            var problem: String?
        }
        var sent: [Item]

        static let schema = Schema.record([
            "sent": .array(
                .record(
                    ["sink": .string()],
                    optional: [
                        "pages": .integer(), "document": .string(), "waiting": .string(),
                        "problem": .string(),
                    ]))
        ])
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/documents/{id}/export", needs: .read, group: "Documents",
                "Get a document as a file, with its pages as they are now",
                query: [
                    .init(
                        name: "format",
                        schema: .string(choices: ExportFolder.formats.keys.sorted()),
                        summary: "pdf unless given: a searchable PDF"),
                    .init(
                        name: "blank", schema: .boolean,
                        summary: "Include blank pages"),
                    .init(
                        name: "pages", schema: .string(),
                        summary: "Only these pages, such as 2,5 or 3-7, even if they are blank"),
                ] + PDFRequest.parameters,
                answers: [
                    .init(
                        status: 200, summary: "The file", type: ExportFolder.formats["pdf"],
                        otherTypes: Set(ExportFolder.formats.values).sorted().filter {
                            $0 != ExportFolder.formats["pdf"]
                        })
                ],
                problems: [404, 422, 500, 503, 507],
                work: { [context] in try await Self.export($0, context) }),
            Route(
                "GET", "/api/v1/documents/{id}/originals/{number}", needs: .read,
                group: "Documents",
                "Get a PDF that a document was imported from, as it was; number counts its 'originals' from 1",
                answers: [
                    .init(status: 200, summary: "The file", type: ExportFolder.formats["pdf"]),
                    .init(
                        status: 206, summary: "The part that 'Range' asks for",
                        type: ExportFolder.formats["pdf"]),
                    .init(status: 304, summary: "It is the same as before", type: nil),
                ],
                problems: [404, 416, 500, 503],
                work: { [context] in try await Self.original($0, context) }),
            Route(
                "POST", "/api/v1/documents/{id}/send", needs: .scan, group: "Documents",
                "Send a document to named sinks, even if it was sent before",
                body: .record(
                    ["sinks": .some(.string())],
                    optional: ["pdf": .nullable(PDFRequest.schema)]),
                answers: [
                    .init(
                        status: 200,
                        summary: "The results; the outbox tries again what is waiting",
                        schema: SentJSON.schema)
                ],
                problems: [404, 415, 422, 500, 503, 507],
                work: { [context] in try await Self.send($0, context) }),
        ]
    }

    private static func export(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse
    {
        let id = try DocumentRoutes.id(call)
        let format = call.text("format") ?? "pdf"
        guard let media = ExportFolder.formats[format] else {
            throw Problem.invalid(
                "'\(format)' is not a format here. Choose one of: \(ExportFolder.formats.keys.sorted().joined(separator: ", "))."
            )
        }
        let keepsBlankPages = try call.truth("blank")
        let pages = try call.text("pages").map { text in
            guard let pages = PageNumbers(text) else {
                throw Problem.invalid(
                    "'\(text)' is not a value for 'pages'. Give \(PageNumbers.examples).")
            }
            return pages
        }
        let options = try PDFRequest(call).order.options()
        let folder = ExportFolder(root: context.store.root)
        return try await context.archive.with(call.user) { archive in
            let name = DocumentName(
                title: try archive.summary(id).title, id: id.rawValue, pages: pages,
                ending: format)
            let file = try folder.file(
                of: id, in: archive, format: format, options: options, pages: pages,
                keepsBlankPages: keepsBlankPages)
            return HTTPResponse(
                status: 200,
                headers: [
                    ("Content-Type", media), ("Content-Disposition", name.contentDisposition),
                ], body: .file(file))
        }
    }

    private static func original(_ call: Call, _ context: ServerContext) async throws
        -> HTTPResponse
    {
        let id = try DocumentRoutes.id(call)
        let known = call.request.head.header("If-None-Match")
        return try await context.archive.with(call.user) { archive in
            let all = try archive.originals(of: id)
            guard let number = Int(call["number"]), number > 0, number <= all.count else {
                throw Problem.noSuchThing(
                    "original", call["number"],
                    "The document's own address lists its 'originals', if it has any.")
            }
            let original = all[number - 1]
            let tag = "\"\(original.file.hexadecimal)\""
            let headers: [(name: String, value: String)] = [
                ("ETag", tag), ("Cache-Control", "private, no-cache"),
            ]
            if known == tag { return HTTPResponse(status: 304, headers: headers) }
            let name = OriginalNames.name(
                of: original.name, title: try archive.summary(id).title, id: id.rawValue)
            return HTTPResponse(
                status: 200,
                headers: [
                    KeptMedia.header(original.media),
                    ("Content-Disposition", name.contentDisposition),
                ] + headers, body: .file(try archive.imageFile(original.file)))
        }
    }

    private static func send(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse {
        let id = try DocumentRoutes.id(call)
        let order = try call.decoded(Order.self)
        _ = try await context.archive.with(call.user) { try $0.summary(id) }
        let names = order.sinks
        guard !names.isEmpty else {
            throw Problem.invalid("'sinks' is empty: name those that it should go to.")
        }
        // Only names are accepted: a sink by its kind and options could name any file or address.
        let known = try context.sinks.names()
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw Problem.noSuchThing(
                "sink", unknown, "The known ones are: \(known.joined(separator: ", ")).")
        }
        let sinks = context.sinks
        let isWhole = call.scope == .admin
        // A service's own text is only for those who may change sinks.
        let publicText = { @Sendable (text: String) in
            isWhole ? PlaceNames.removed(from: text) : PublicView.words(text)
        }
        let options = try (order.pdf?.order ?? PDFOrder()).options()
        let sent = try await context.archive.with(call.user) { archive in
            names.map { name -> SentJSON.Item in
                do {
                    let receipt = try archive.deliver(id, to: sinks.named(name, options))
                    return SentJSON.Item(
                        sink: name, pages: receipt.pages,
                        document: receipt.remoteID.map(PlaceNames.name),
                        waiting: receipt.waiting.map { publicText($0.reason) })
                } catch {
                    return SentJSON.Item(
                        sink: name, problem: publicText(Problem(error).detail))
                }
            }
        }
        context.events.publish("outbox", "{}", of: call.user.name)
        return try .json(SentJSON(sent: sent))
    }
}
