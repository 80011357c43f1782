import BlockingWork
import CaptureHost
import CaptureKit
import Documents
import FoundationEssentials
import HTTPServer
import JobOptions
import Listings
import LiveCapture
import Processing
import Recognition
import ScanService

/// `/api/v1/jobs`: scans and interrupted jobs.
struct JobRoutes {
    let context: ServerContext

    private struct Answer: Decodable {
        var goesOn: Bool

        static let schema = Schema.record(["goesOn": .boolean])
    }

    private struct JobsJSON: Encodable {
        var jobs: [JobStatus]
        var stored: [StoredJobJSON]
    }

    private static let accepted = Route.Answer(
        status: 202, summary: "The running job; its address is in Location",
        schema: .reference("Job"))

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/jobs", needs: .scan, group: "Jobs",
                "List the jobs of this run, and those that wait in the spool",
                answers: [
                    .init(
                        status: 200, summary: "The jobs, the latest first",
                        schema: .record([
                            "jobs": .array(.reference("Job")),
                            "stored": .array(.reference("StoredJob")),
                        ]))
                ],
                work: { [context] call in
                    let stored = await onOwnThread { context.store.jobs() }.filter {
                        OwnItems.isVisible($0, to: call.user)
                    }
                    return try .json(
                        JobsJSON(
                            jobs: context.jobs.all.filter { call.user.maySee($0.owner) },
                            stored: stored.map { StoredJobJSON($0).cleaned(PublicView.words) }))
                }),
            Route(
                "POST", "/api/v1/jobs", needs: .scan, group: "Jobs",
                "Scan, or with `watch` capture page after page from a camera until it is stopped",
                body: ScanRequest.described,
                answers: [Self.accepted],
                problems: [404, 409, 415, 422, 502, 507],
                work: { [context] call in try await Self.begin(call, context) }),
            Route(
                "GET", "/api/v1/jobs/{id}", needs: .scan, group: "Jobs", "Show a job's progress",
                answers: [.init(status: 200, summary: "The job", schema: .reference("Job"))],
                problems: [404],
                work: { [context] call in
                    guard let status = await context.status(ofJob: call["id"]) else {
                        throw Self.missing(call["id"])
                    }
                    return try .json(status)
                }),
            Route(
                "GET", "/api/v1/jobs/{id}/result", needs: .scan, group: "Jobs",
                "Show how a job ended, with every step that its pages went through",
                answers: [
                    .init(
                        status: 200, summary: "What `copystand scan --json` prints",
                        schema: Schemas.result)
                ],
                // The error of a job that delivered nothing.
                problems: [404, 409, 422, 500, 502, 503, 507],
                work: { [context] call in
                    guard let status = await context.status(ofJob: call["id"]) else {
                        throw Self.missing(call["id"])
                    }
                    guard let result = try context.jobs.result(status.id) else {
                        throw Problem(
                            409, "no-result",
                            detail:
                                "The job '\(status.id)' is still running, or ended too long ago: only the results of the last sixteen are kept."
                        )
                    }
                    return HTTPResponse(
                        status: 200, headers: [("Content-Type", "application/json")],
                        body: .bytes(result))
                }),
            Route(
                "POST", "/api/v1/jobs/{id}/stop", needs: .scan, group: "Jobs",
                "Stop capturing; what is captured is delivered",
                answers: [.init(status: 204, summary: "The job is stopping", type: nil)],
                problems: [404],
                work: { [context] call in
                    guard context.jobs.stop(call["id"]) else { throw Self.missing(call["id"]) }
                    return .done
                }),
            Route(
                "POST", "/api/v1/jobs/{id}/answer", needs: .scan, group: "Jobs",
                "Answer the `question` of a job that waits: whether there is another sheet, or that was the last",
                body: Answer.schema,
                answers: [.init(status: 204, summary: "The job continues", type: nil)],
                problems: [404, 409, 415],
                work: { [context] call in
                    guard context.jobs.status(call["id"]) != nil else {
                        throw Self.missing(call["id"])
                    }
                    let goesOn = try call.decoded(Answer.self).goesOn
                    guard context.jobs.answer(call["id"], goesOn: goesOn) else {
                        throw Problem(
                            409, "nothing-asked",
                            detail: "The job '\(call["id"])' is asking nothing now.")
                    }
                    return .done
                }),
            Route(
                "POST", "/api/v1/jobs/{id}/resume", needs: .scan, group: "Jobs",
                "Deliver an interrupted job",
                answers: [Self.accepted],
                problems: [404, 409, 422, 500, 502, 507],
                work: { [context] call in
                    let job = try await stored(call["id"], context)
                    guard !job.isRunning else {
                        throw Problem(
                            409, "job-running",
                            detail: "The job '\(job.id)' is already running.")
                    }
                    return try Self.accepted(await context.jobs.resume(job))
                }),
            Route(
                "POST", "/api/v1/jobs/{id}/continue", needs: .scan, group: "Jobs",
                "Capture the rest of a job whose capturing ended early, and deliver the whole document again",
                answers: [Self.accepted],
                problems: [404, 409, 422, 500, 502, 507],
                work: { [context] call in
                    let job = try await stored(call["id"], context)
                    guard job.isContinuable else {
                        throw Problem(
                            409, "nothing-to-continue",
                            detail: "The job '\(job.id)' is running, or has no pages from a device."
                        )
                    }
                    return try Self.accepted(await context.jobs.goOn(job))
                }),
            Route(
                "DELETE", "/api/v1/jobs/{id}", needs: .scan, group: "Jobs",
                "Delete an interrupted job and its pages for good; deletes undelivered pages only with `force`",
                query: [
                    .init(
                        name: "force", schema: .boolean,
                        summary: "Whether undelivered pages are deleted too")
                ],
                answers: [.init(status: 204, summary: "It is deleted", type: nil)],
                problems: [404, 409, 507],
                work: { [context] call in
                    let force = try call.truth("force")
                    let job = try await stored(call["id"], context)
                    try await onOwnThread { try job.discard(force: force) }
                    return .done
                }),
        ]
    }

    private static func begin(_ call: Call, _ context: ServerContext) async throws -> HTTPResponse {
        let request = try call.decoded(ScanRequest.self)
        if let uploads = request.uploads {
            return try await scan(uploads, request, for: call, context)
        }
        let device =
            if let name = request.device {
                try await context.device(name)
            } else {
                try await context.host.find(nil)
            }
        let order = try request.order(
            sources: [device.id], for: call.user, scope: call.scope, context)
        if request.watch != nil, request.options.isGiven(.asksForMore) {
            throw Problem.invalid(
                "'watch' captures page after page on its own: leave out 'asksForMore'.")
        }
        let watch = try request.watch.map { try $0.options(device) }
        guard !order.settings.isEmpty else {
            return try await begin(order, watch, device: device, for: call, context)
        }
        // The check is before the job's start, so that the answer, and not a failed job, reports a
        // refused path.
        try await context.host.prepare(device, toSet: order.settings.map(\.option))
        do { return try await begin(order, watch, device: device, for: call, context) } catch {
            await context.host.release(device)
            throw error
        }
    }

    private static func begin(
        _ order: ScanOrder, _ watch: LiveOptions?, device: ListedDevice, for call: Call,
        _ context: ServerContext
    ) async throws -> HTTPResponse {
        guard let watch else { return try accepted(await context.jobs.begin(order)) }
        return try accepted(await context.jobs.watch(device, order, watch, for: call.client))
    }

    /// Scans files from a client.
    private static func scan(
        _ uploads: [String], _ request: ScanRequest, for call: Call,
        _ context: ServerContext
    ) async throws -> HTTPResponse {
        guard request.device == nil, request.watch == nil, !request.options.isGiven(.asksForMore)
        else {
            throw Problem.invalid(
                "'uploads' are scanned without a device: leave out 'device', 'watch' and 'asksForMore'."
            )
        }
        guard !uploads.isEmpty else {
            throw Problem.invalid("'uploads' is empty: send files to /api/v1/uploads first.")
        }
        // Errors in the order are reported before the files are claimed.
        let order = try request.order(
            sources: [], for: call.user, scope: call.scope, context)
        return try accepted(
            await context.jobs.begin(
                order, adopting: try context.uploads.take(uploads, for: call.client)))
    }

    private static func accepted(_ status: JobStatus) throws -> HTTPResponse {
        try .json(status, status: 202).with("Location", "/api/v1/jobs/\(status.id)")
    }

    private static func missing(_ id: String) -> Problem {
        Problem.noSuchThing("job", id, "See /api/v1/jobs for the list.")
    }
}

/// The interrupted job with that name, among the listed ones.
private func stored(_ id: String, _ context: ServerContext) async throws -> StoredJob {
    guard let job = await onOwnThread({ context.store.jobs() }).first(where: { $0.id == id }) else {
        throw Problem.noSuchThing("job", id, "See /api/v1/jobs for the list.")
    }
    return job
}
