import HTTPServer

/// Health, metrics, and the description of the API.
struct SystemRoutes {
    private let context: ServerContext
    private let metrics: Metrics
    private let counters: HTTPCounters

    init(_ context: ServerContext, metrics: Metrics, counters: HTTPCounters) {
        self.context = context
        self.counters = counters
        self.metrics = metrics
    }

    private struct HealthJSON: Encodable {
        var status = "ok"
        var runningJobs: Int
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/health", needs: .open, group: "System", "Check that the host is running",
                answers: [
                    .init(
                        status: 200, summary: "It is running",
                        schema: .record([
                            ("status", .string(choices: ["ok"])),
                            ("runningJobs", .integer(minimum: 0)),
                        ]))
                ],
                work: { [context] _ in try .json(HealthJSON(runningJobs: context.jobs.running)) }),
            Route(
                "GET", "/metrics", needs: .admin, group: "System", "Counts for a Prometheus server",
                answers: [.init(status: 200, summary: "The counts", type: "text/plain")],
                work: { [context, metrics, counters] _ in
                    HTTPResponse(
                        status: 200, type: "text/plain; version=0.0.4",
                        text: metrics.text(
                            jobs: context.jobs.running, listeners: context.events.listeners)
                            + Metrics.text(of: counters))
                }),
        ]
    }

    /// The description's own address.
    static func description(_ text: String) -> Route {
        Route(
            "GET", "/api/v1/openapi.json", needs: .open, group: "System",
            "The description of this API",
            answers: [.init(status: 200, summary: "OpenAPI 3.1")],
            work: { _ in HTTPResponse(status: 200, type: "application/json", text: text) })
    }
}
