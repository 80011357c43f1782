import Archive
import ScanService
import WorkQueue

/// The pages on their way into a shared archive, from all of its stations.
public struct ArrivalList: Sendable {
    private let line: QueueLine

    /// The maximum number of jobs to list, besides those that are asked for by name.
    private static let most = 100

    /// The arrivals of the archive at the address of a database.
    public init(at place: String) { line = QueueLine(place, purpose: "arrivals") }

    /// Lists the jobs that are not in the archive yet: those being read, those waiting, in order,
    /// those given up, and pages that other stations keep until the archive has them.
    ///
    /// - Parameter jobs: jobs to list at any place in the queue.
    /// - Throws: `ArchiveError`.
    public func all(with jobs: [String] = []) async throws -> [Arrival] {
        let own = ThisStation.name
        return try await line.use { queue in
            let queued = try queue.unfinished(of: LeftJob.kind, first: Self.most, and: jobs)
            let stations = try queue.machines().map(\.machine).filter {
                $0.role == .station && $0.load > 0 && $0.name != own
            }
            return queued.map(Arrival.init)
                + stations.map {
                    Arrival(job: nil, station: $0.name, pages: $0.load, place: .station)
                }
        }
    }
}
