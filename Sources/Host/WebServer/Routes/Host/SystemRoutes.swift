import HTTPServer

/// Health, metrics, and the description of the API.
struct SystemRoutes {
    private let context: ServerContext
    private let metrics: Metrics
    private let counters: HTTPCounters

    /// The certificate of the host's own authority, as PEM.
    private let authority: String?

    init(
        _ context: ServerContext, metrics: Metrics, counters: HTTPCounters, authority: String?
    ) {
        self.context = context
        self.authority = authority
        self.counters = counters
        self.metrics = metrics
    }

    private struct HealthJSON: Encodable {
        var status = "ok"
        var runningJobs: Int
    }

    private struct AboutJSON: Encodable {
        var version: String
        var license = "Apache-2.0"
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/health", needs: .open, group: "System", "Check that the host is running",
                answers: [
                    .init(
                        status: 200, summary: "It is running",
                        schema: .record([
                            "status": .string(choices: ["ok"]), "runningJobs": .integer(minimum: 0),
                        ]))
                ],
                work: { [context] _ in try .json(HealthJSON(runningJobs: context.jobs.running)) }),
            Route(
                "GET", "/api/v1/about", needs: .read, group: "System",
                "The version of the host, and its license",
                answers: [
                    .init(
                        status: 200, summary: "What it is",
                        schema: .record(["version": .string(), "license": .string()]))
                ],
                work: { [context] _ in try .json(AboutJSON(version: context.version)) }),
            Route(
                "GET", "/copystand-ca.crt", needs: .open, group: "System",
                "The certificate of the host's own authority, for a phone or a computer to trust",
                answers: [
                    .init(
                        status: 200, summary: "The certificate, as PEM",
                        type: "application/x-x509-ca-cert")
                ], problems: [404],
                work: { [authority] _ in
                    guard let authority else {
                        throw Problem.noSuchThing(
                            "certificate", "copystand-ca.crt",
                            "The host has one when it is started with --tls and no --certificate.")
                    }
                    return HTTPResponse(
                        status: 200, type: "application/x-x509-ca-cert", text: authority)
                }),
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
