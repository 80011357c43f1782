import Listings
import HTTPServer
import LiveCapture
import ScanService

/// `/api/v1/jobs/{id}/live`: the pictures of a watched camera, and captures by hand.
struct LiveRoutes {
    let context: ServerContext

    var routes: [Route] {
        [
            Route(
                "POST", "/api/v1/jobs/{id}/capture", needs: .scan, group: "Live",
                "Capture a page now, whatever the camera shows",
                answers: [.init(status: 204, summary: "It is captured", type: nil)],
                problems: [404, 409],
                work: { [context] call in
                    try Self.session(call, context).control.captureNow()
                    return .done
                }),
            Route(
                "PUT", "/api/v1/jobs/{id}/live/region", needs: .scan, group: "Live",
                "Set the part of the picture to keep from now on, in a watch that began with one",
                body: LiveRegion.schema,
                answers: [.init(status: 204, summary: "The region is set", type: nil)],
                problems: [404, 409, 415, 422],
                work: { [context] call in
                    let region = try call.decoded(LiveRegion.self)
                    _ = try Self.session(call, context)
                    _ = try region.area()
                    guard context.jobs.draw(region, on: call["id"]) else {
                        throw Problem(
                            409, "not-drawn",
                            detail:
                                "The job '\(call["id"])' finds pages automatically. Begin one with \"region\" in its \"watch\"."
                        )
                    }
                    return .done
                }),
            Route(
                "GET", "/api/v1/jobs/{id}/live", needs: .scan, group: "Live",
                "Watch what the camera shows; each part's X-Time is its time in the live events",
                answers: [
                    .init(
                        status: 200, summary: "One JPEG after another, until the job is over",
                        type: "multipart/x-mixed-replace")
                ], problems: [404, 409],
                work: { [context] call in
                    HTTPResponse(
                        status: 200,
                        headers: [
                            (
                                "Content-Type",
                                "multipart/x-mixed-replace; boundary=\(LiveSession.boundary)"
                            )
                        ], body: .stream(try Self.session(call, context).film()))
                }),
            Route(
                "GET", "/api/v1/jobs/{id}/live/frame", needs: .scan, group: "Live",
                "Show one picture of what the camera sees now",
                query: [
                    .init(
                        name: "number", schema: .integer(minimum: 0),
                        summary:
                            "Another number for each request, against pictures that a browser kept"
                    )
                ],
                answers: [
                    .init(status: 200, summary: "The next picture", type: "image/jpeg")
                ], problems: [404, 409, 503],
                work: { [context] call in
                    let picture = try await Self.session(call, context).picture()
                    return HTTPResponse(
                        status: 200,
                        headers: [
                            ("Content-Type", "image/jpeg"), ("X-Time", "\(picture.time)"),
                            ("Cache-Control", "no-store"),
                        ],
                        body: .bytes(picture.bytes))
                }),
            Route(
                "GET", "/api/v1/jobs/{id}/live/events", needs: .scan, group: "Live",
                "Receive events of the camera: `live` with the state, the page's corners, and why it is not captured yet",
                answers: [
                    .init(
                        status: 200, summary: "Server-sent events until the job is over",
                        type: "text/event-stream")
                ], problems: [404, 409],
                work: { [context] call in
                    HTTPResponse(
                        status: 200, headers: [("Content-Type", "text/event-stream")],
                        body: .stream(try Self.session(call, context).listen()))
                }),
        ]
    }

    /// The live session of a running job, for the client that began it and for administrators.
    private static func session(_ call: Call, _ context: ServerContext) throws -> LiveSession {
        let id = call["id"]
        guard context.jobs.status(id) != nil else {
            throw Problem.noSuchThing("job", id, "See /api/v1/jobs for the list.")
        }
        guard let session = context.jobs.session(id) else {
            throw Problem(
                409, "not-watching",
                detail:
                    "The job '\(id)' is not watching a camera. Begin one with \"watch\" in its order."
            )
        }
        guard session.client == call.client || call.scope == .admin else {
            throw Problem.noSuchThing(
                "live view", id,
                "It belongs to the token that began the job. Begin another with \"watch\" in its order."
            )
        }
        return session
    }
}
