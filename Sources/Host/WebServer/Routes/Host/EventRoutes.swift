import HTTPServer

/// `/api/v1/events`: the host's events.
struct EventRoutes {
    let context: ServerContext

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/events", needs: .scan, group: "Events",
                "Receive events: `job` with a job, `device` with a device that was added, changed or removed, `archive` when a document changed, `reset` when events were missed",
                answers: [
                    .init(
                        status: 200, summary: "Server-sent events without end",
                        type: "text/event-stream")
                ],
                work: { [context] call in
                    HTTPResponse(
                        status: 200, headers: [("Content-Type", "text/event-stream")],
                        body: .stream(
                            context.events.listen(
                                since: call.request.head.header("Last-Event-ID"), as: call.user,
                                client: call.client)))
                })
        ]
    }
}
