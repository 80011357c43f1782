import Archive
import Clocks
import ExpectedFailures
public import ScanService
import WorkQueue

/// Announces to everyone who shares an archive that this machine scans into it.
public struct StationPresence: Sendable {
    private let line: QueueLine
    private let store: JobStore
    private let version: String
    private let clock: any Clock<Duration>

    /// A station for the archive at the address of a database, with its jobs in `store`.
    public init(
        for place: String, store: JobStore, version: String,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        line = QueueLine(place, purpose: "presence")
        self.store = store
        self.version = version
        self.clock = clock
    }

    /// Reports every 15 seconds until the task is canceled.
    ///
    /// If the server does not answer, the reports continue, and nothing waits for them.
    public func announce() async {
        let name = ThisStation.name
        let work = Task { [line, store, version, clock] in
            while !Task.isCancelled {
                await repeatedSoon {
                    try await line.use { queue in
                        let waiting = store.jobs().filter { !$0.awaitedArchives.isEmpty }
                        try queue.announce(
                            Machine(
                                name: name, role: .station, version: version,
                                load: waiting.reduce(0) { $0 + $1.pages }))
                    }
                }
                await clock.pause(for: .seconds(15))
            }
            await ifStillThere { try await line.use { try $0.dismiss(name) } }
        }
        while !Task.isCancelled { await clock.pause(for: .seconds(3_600)) }
        work.cancel()
    }
}
