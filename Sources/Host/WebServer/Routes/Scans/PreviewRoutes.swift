import CaptureHost
import Documents
import HTTPServer

/// `/api/v1/previews`: quick previews of a scanner's glass.
struct PreviewRoutes {
    let context: ServerContext

    private struct Order: Decodable {
        var device: String?
        var source: String?
    }

    private static let status = PreviewStore.Status.schema

    var routes: [Route] {
        [
            Route(
                "POST", "/api/v1/previews", needs: .scan, group: "Scanning",
                "Scan the glass quickly and coarsely; it ends with the event `preview`",
                body: .record(
                    optional: [
                        "device": .string(
                            description: "The device's id or alias; the default one unless given"),
                        "source": .string(
                            description: "The glass unless given; any other feeds a sheet"),
                    ]),
                answers: [
                    .init(
                        status: 202, summary: "The running preview; its address is in Location",
                        schema: Self.status)
                ], problems: [404, 409, 415, 422, 429, 502],
                work: { [context] call in
                    let order = try call.decoded(Order.self)
                    let device =
                        if let name = order.device {
                            try await context.device(name)
                        } else {
                            try await context.host.find(nil)
                        }
                    let status = try context.previews.begin(
                        device.id, source: order.source, for: call.client)
                    return try .json(status, status: 202)
                        .with("Location", "/api/v1/previews/\(status.id)")
                }),
            Route(
                "GET", "/api/v1/previews/{id}", needs: .scan, group: "Scanning",
                "Show a preview's progress",
                answers: [.init(status: 200, summary: "The preview", schema: Self.status)],
                problems: [404],
                work: { [context] call in
                    guard let status = context.previews.status(call["id"], of: call.client)
                    else {
                        throw Self.missing(call["id"])
                    }
                    return try .json(status)
                }),
            Route(
                "DELETE", "/api/v1/previews/{id}", needs: .scan, group: "Scanning",
                "Stop a preview, and discard it",
                answers: [.init(status: 204, summary: "It is deleted", type: nil)], problems: [404],
                work: { [context] call in
                    guard context.previews.delete(call["id"], of: call.client) else {
                        throw Self.missing(call["id"])
                    }
                    return .done
                }),
            Route(
                "GET", "/api/v1/previews/{id}/picture", needs: .scan, group: "Scanning",
                "The picture of a preview that is done",
                answers: [
                    .init(status: 200, summary: "The picture", type: "image/jpeg"),
                    .init(status: 304, summary: "It is the same as before", type: nil),
                ], problems: [404, 409],
                work: { [context] call in
                    let id = call["id"]
                    guard let status = context.previews.status(id, of: call.client) else {
                        throw Self.missing(id)
                    }
                    guard let bytes = context.previews.picture(id, of: call.client) else {
                        throw Problem(
                            409, "no-picture",
                            detail:
                                "The preview '\(id)' is \(status.state.rawValue) and has no picture. Wait until it is done, or start another."
                        )
                    }
                    let headers: [(name: String, value: String)] = [
                        ("ETag", "\"\(id)\""),
                        ("Cache-Control", "private, immutable, max-age=3600"),
                    ]
                    if call.request.head.header("If-None-Match") == "\"\(id)\"" {
                        return HTTPResponse(status: 304, headers: headers)
                    }
                    return HTTPResponse(
                        status: 200, headers: [("Content-Type", "image/jpeg")] + headers,
                        body: .bytes(bytes))
                }),
        ]
    }

    private static func missing(_ id: String) -> Problem {
        Problem.noSuchThing("preview", id, "Only the latest are kept; start another.")
    }
}
