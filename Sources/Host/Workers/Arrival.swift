import WorkQueue

/// The place of pages on their way into the archive.
public enum JobPlace: String, Codable, CaseIterable, Sendable {
    /// On the machine that captures them; it also processes them, unless workers do.
    case station
    /// On their way from there into a shared archive.
    case uploading
    /// In a shared archive, until a worker reads them.
    case waiting
    /// With a worker that reads them.
    case reading
    /// In the archive as a document, or at their other destinations.
    case done
}

/// Pages on their way into the archive.
public struct Arrival: Encodable, Hashable, Sendable {
    /// The name of their job; nil for all pages that another station keeps until it reaches the
    /// archive.
    public var job: String?
    /// The machine that captured them.
    public var station: String
    /// The number of pages.
    public var pages: Int
    /// The place where they are.
    public var place: JobPlace
    /// The number of pages that are read before them; nil unless they wait.
    public var ahead: Int?
    /// The number of pages that are read; nil unless they are being read.
    public var read: Int?
    /// The reason why workers gave the job up; nil unless they did.
    public var problem: String?

    /// Pages with their place.
    public init(job: String?, station: String, pages: Int, place: JobPlace) {
        self.job = job
        self.station = station
        self.pages = pages
        self.place = place
    }

    init(_ queued: QueuedJob) {
        self.init(
            job: queued.key, station: queued.station, pages: queued.size, place: .waiting)
        switch queued.state {
        case .waiting(let before): ahead = before
        case .running(let done): (place, read) = (.reading, done)
        case .givenUp(let reason): problem = reason
        }
    }
}
