public import Delivery
public import Documents

/// The result of a job.
public struct ScanOutcome: Sendable {
    /// How the capture ended.
    public enum Ending: Sendable {
        /// Every source was read to its end, or to the limit.
        case completed
        /// The user stopped the capture; the earlier pages are delivered.
        case stopped
        /// A device failed; the earlier pages are delivered.
        case deviceFailed(any Error)
    }

    /// How the capture ended.
    public var ending: Ending
    /// The processed pages, in order: the delivered ones and, for a split batch, the sheets between
    /// its documents.
    public var pages: [PageSummary] = []
    /// The findings in the whole document, such as its entries.
    public var found = DocumentFindings()
    /// The documents into which the batch was split; empty if it was not to be split.
    public var documents: [SplitDocument] = []
    /// The pages that could not be captured.
    public var skipped: [SkippedPage] = []
    /// The sinks that have the document.
    public var receipts: [Receipt] = []
    /// The sinks to which the document could not be delivered.
    public var failures: [DeliveryFailure] = []
    /// True if nothing failed but that the server of an archive did not answer.
    ///
    /// The job is delivered when it answers again.
    public var awaitsArchive: Bool { DeliveryFailure.awaitedArchives(failures) != nil }
    /// The job whose captured pages are kept because a delivery failed: `copystand jobs resume`
    /// continues the job.
    public var keptJob: String?
    /// The contents of ``keptJob``; nil without such a job.
    public var kept: Kept?
    /// The number of blank pages that files leave out.
    public var blankPagesLeftOut = 0
    /// The job whose captured pages are kept because a file leaves out blank ones: the job can be
    /// resumed with them.
    public var blankPagesJob: String?
    /// The job whose captured pages are kept because sheets between documents were left out: the
    /// job can be resumed with them.
    public var asidePagesJob: String?
    /// The job that can be continued, because its capture ended early; its document so far is
    /// delivered.
    public var continuation: Continuation?
    /// Fronts and backs that were scanned in separate captures; nil for every other job.
    public var collated: Collation?

    /// The contents of a job whose delivery failed.
    public struct Kept: Codable, Hashable, Sendable {
        /// The number of pages in the spool.
        public var pages: Int
        /// The number of pages that were released for lack of room, and whose files still exist
        /// unchanged.
        public var unread: Int
        /// The number of pages that were released, and whose files have changed or disappeared
        /// since.
        public var lost: Int
    }

    /// A job to continue.
    public struct Continuation: Codable, Hashable, Sendable {
        /// The job's name.
        public var job: String
        /// The number of pages that are safe in the job's folder.
        public var pages: Int
        /// The reason why the capture ended.
        public var interruption: Interruption
        /// True when `jobs resume` continues the job by reading its files again from the start;
        /// false when `scan --append` adds pages.
        public var isReread = false
    }

    /// The numbers of fronts and backs.
    public struct Collation: Codable, Hashable, Sendable {
        /// The number of pages in the first capture.
        public var fronts: Int
        /// The number of pages in the second capture.
        public var backs: Int
        /// False when two sheets were fed together in one of the captures.
        public var isEven: Bool { fronts == backs }
    }
}
