public import Delivery

/// How a job ended.
public struct ScanOutcome: Sendable {
    /// How the capturing ended.
    public enum Ending: Sendable {
        /// Every source was read to its end, or to the limit.
        case completed
        /// It was stopped by the user; the pages before that are delivered.
        case stopped
        /// A device failed; the pages before that are delivered.
        case deviceFailed(any Error)
    }

    /// How the capturing ended.
    public var ending: Ending
    /// The pages that were delivered, in order.
    public var pages: [PageSummary] = []
    /// The pages that could not be captured.
    public var skipped: [SkippedPage] = []
    /// The sinks that have the document.
    public var receipts: [Receipt] = []
    /// The sinks that could not take it.
    public var failures: [DeliveryFailure] = []
    /// The job whose captured pages are kept because a delivery failed: `copystand jobs resume` goes on with it.
    public var keptJob: String?
}
