import BlockingWork
import Archive
import Documents
import FileNames
import FoundationEssentials
import HTTPServer
import Imaging
import Processing
import ProgramFiles
import ScanService

/// `/api/v1/profile-preview`: the result of a profile for a page, without storing either.
struct ProfileTrial {
    let context: ServerContext

    private struct PreviewJSON: Encodable {
        struct Step: Encodable {
            var name: String
            var changed: Bool
            var summary: String
        }
        /// The captured picture and the first page after the steps, as JPEGs in base64 (RFC 4648,
        /// 4), because neither has an address.
        var captured: String
        var page: String
        var pages: Int
        var steps: [Step]
    }

    private static let preview = Schema.record([
        "captured": .string(), "page": .string(), "pages": .integer(minimum: 1),
        "steps": .array(.record(["name": .string(), "changed": .boolean, "summary": .string()])),
    ])

    /// The longer side of the pictures, in pixels.
    private static let side = 900

    var routes: [Route] {
        [
            Route(
                "POST", "/api/v1/profile-preview", needs: .admin, group: "Profiles",
                "Show what a profile makes of a page, without saving it",
                query: [
                    .init(
                        name: "document", schema: .integer(minimum: 1),
                        summary: "Try it on a page of this document; on a sample unless given"),
                    .init(
                        name: "page", schema: .integer(minimum: 1),
                        summary: "The number of that page: 1 unless given"),
                ],
                body: .record([:], isOpen: true),
                answers: [
                    .init(
                        status: 200, summary: "The page before and after, as JPEGs in base64",
                        schema: Self.preview)
                ], problems: [404, 415, 422, 500, 503],
                work: { [context] call in try await Self.answer(call, context) })
        ]
    }

    private static func answer(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse
    {
        let profile = try ProfileLibrary.profile(Data(try call.object()))
        let file = try await picture(call, context)
        let captured = try await onOwnThread { try Raster.decoded(from: file) }
        let pages = try await context.service.look(of: captured, in: profile)
        return try await onOwnThread {
            try HTTPResponse.json(
                PreviewJSON(
                    captured: try base64(captured), page: try base64(pages[0].image),
                    pages: pages.count,
                    steps: pages[0].steps.map {
                        .init(
                            name: $0.name, changed: $0.changed,
                            summary: PlaceNames.removed(from: $0.summary))
                    }))
        }
    }

    /// The picture of the requested page, as a file.
    private static func picture(_ call: Call, _ context: ServerContext) async throws -> [UInt8] {
        guard call.text("document") != nil else {
            return ProgramFiles.bytes(of: "Sources/Host/WebPage/sample.jpg")
        }
        let document = try call.number("document", 1...Schema.largest, default: 1)
        let id = DocumentID(rawValue: Int64(document))
        let number = try call.number("page", 1...Schema.largest, default: 1)
        return try await context.archive.with(call.user) { archive in
            guard let page = try archive.archivedPage(number, of: id, withText: false) else {
                throw DocumentRoutes.noPage(String(number))
            }
            return try archive.capturedImage(of: page.id)
        }
    }

    private static func base64(_ picture: Raster) throws -> String {
        let small = picture.thumbnail(longSide: side)
        return Data(try small.encodedJPEG(quality: 80)).base64EncodedString()
    }
}
