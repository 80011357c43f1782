import Archive
import Clocks
import Documents
import ExpectedFailures
import Workers

/// Follows the documents on their way into a shared archive, for the jobs of this host and for
/// lists.
actor ArrivalWatch {
    private let arrivals: ArrivalList
    private let jobs: JobRunner
    private let archive: OpenArchive
    private let events: EventHub
    private let clock: any Clock<Duration>
    private var known: [Arrival] = []

    init(_ place: String, _ context: ServerContext, clock: any Clock<Duration>) {
        arrivals = ArrivalList(at: place)
        (jobs, archive, events) = (context.jobs, context.archive, context.events)
        self.clock = clock
    }

    /// Asks the queue every two seconds while something is there, and every five seconds
    /// otherwise, until the task is canceled.
    func watch() async {
        while !Task.isCancelled {
            let left = jobs.left
            // A server that does not answer is asked again.
            if let now = await repeatedSoon({ try await arrivals.all(with: left) }) {
                await take(now, left)
            }
            let isQuiet = known.isEmpty && jobs.left.isEmpty
            await clock.pause(for: .seconds(isQuiet ? 5 : 2))
        }
    }

    /// Passes the news on, to the jobs in `left` and to listeners.
    private func take(_ now: [Arrival], _ left: [String]) async {
        for id in left {
            if let arrival = now.first(where: { $0.job == id }) {
                jobs.follow(id, arrival)
            } else if let documents = await repeatedSoon({ [archive] in
                try await archive.with(.ofThisProcess) { archive in
                    try archive.documents(of: id).map { try archive.summary($0) }
                }
            }) {
                jobs.arrived(id, as: documents)
            }
        }
        guard now != known else { return }
        known = now
        // The queue does not show whose pages wait.
        events.publish("arrivals", "{}", to: .owners([]))
    }
}

extension Arrival {
    /// The arrival without the machine's folders in its problem.
    var publicView: Arrival {
        var shown = self
        shown.problem = problem.map(PublicView.words)
        return shown
    }
}
