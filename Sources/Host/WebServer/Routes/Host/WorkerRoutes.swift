import BlockingWork
import Archive
import HTTPServer
import Workers

/// `/api/v1/workers`: the jobs that wait for the workers of a shared archive.
struct WorkerRoutes {
    let context: ServerContext

    private static let count = Schema.integer(minimum: 0)

    private static let status = Schema.record([
        "stations": .array(
            .record([
                "name": .string(), "version": .string(), "isThere": .boolean, "silence": .number,
                "pages": count,
            ])),
        "workers": .array(
            .record([
                "name": .string(), "version": .string(), "isThere": .boolean, "silence": .number,
                "jobs": count, "places": count,
            ])),
        "queue": .record(
            [
                "waitingJobs": count, "waitingPages": count, "runningJobs": count,
                "runningPages": count,
            ],
            optional: ["oldest": .number]),
        "givenUp": .array(
            .record([
                "number": count, "job": .string(), "station": .string(), "pages": count,
                "attempts": count, "reason": .string(),
            ])),
    ])

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/workers", needs: .read, group: "System",
                "The stations and workers of a shared archive, and what waits for them; only the own jobs to a token that sees its own documents",
                answers: [.init(status: 200, summary: "What they do", schema: Self.status)],
                problems: [404, 500, 503],
                work: { [context] call in
                    let place = context.archivePlace
                    guard Archive.isShared(place) else {
                        throw Problem(
                            404, "not-shared",
                            detail: "The archive is only on this machine, so it has no workers.")
                    }
                    var status = SharedStatusJSON(
                        try await onOwnThread { try SharedStatus(of: place, for: call.user) })
                    for index in status.givenUp.indices {
                        status.givenUp[index].reason = PublicView.words(
                            status.givenUp[index].reason)
                    }
                    return try .json(status)
                })
        ]
    }
}
