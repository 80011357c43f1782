import Archive
import BlockingWork
import Documents
import ScanService
import Workers

/// `/api/v1/arrivals`: documents on their way into the archive.
struct ArrivalRoutes {
    let context: ServerContext

    private struct ArrivalsJSON: Encodable {
        var arrivals: [Arrival]
    }

    private static let count = Schema.integer(minimum: 0)

    private static let arrival = Schema.record(
        ["station": .string(), "pages": count, "place": JobStatus.placeSchema],
        optional: ["job": .string(), "ahead": count, "read": count, "problem": .string()])

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/arrivals", needs: .read, group: "Documents",
                "List what is not in the archive yet, and where it is: on this host, or in the queue of a shared archive",
                answers: [
                    .init(
                        status: 200,
                        summary: "What is being read, what waits in its order, and the rest",
                        schema: .record(["arrivals": .array(Self.arrival)]))
                ],
                problems: [500, 503],
                work: { [context] call in
                    let place = context.archivePlace
                    // The queue does not show whose pages wait.
                    let seesQueue = call.user.sees == .all && Archive.isShared(place)
                    let queued = seesQueue ? try await ArrivalList(at: place).all() : []
                    let kept = await onOwnThread { [store = context.store] in
                        store.jobs().filter {
                            !$0.isRunning && !$0.awaitedArchives.isEmpty
                                && OwnItems.isVisible($0, to: call.user)
                        }
                    }
                    let own =
                        context.jobs.all.filter { call.user.maySee($0.owner) }
                        .compactMap(\.arrival)
                        + kept.map {
                            Arrival(
                                job: $0.id, station: ThisStation.name, pages: $0.pages,
                                place: .station)
                        }
                    return try .json(
                        ArrivalsJSON(arrivals: (queued + own).map(\.publicView)))
                })
        ]
    }
}
