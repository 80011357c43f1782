/// An event of a worker.
public enum WorkerEvent: Hashable, Sendable {
    /// A job was begun.
    case began(job: String, station: String, pages: Int)
    /// A job's documents are in the archive.
    case finished(job: String, station: String, pages: Int, words: Int, seconds: Double)
    /// An attempt failed; the job is tried again, or given up after the last attempt.
    case failed(job: String, reason: String)
    /// Another worker has the job, or its station scanned more pages; nothing was added.
    case lost(job: String)
    /// The job waits again, since this worker stops.
    case gaveBack(job: String)
    /// The server does not answer; it is asked again and again.
    case away(reason: String)
    /// The server answers again.
    case back
}
