public import Delivery
public import Documents

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
    /// The pages that were processed, in order: those that were delivered, and of a split batch the
    /// sheets between its documents.
    public var pages: [PageSummary] = []
    /// What was found in the document as a whole, such as its entries.
    public var found = DocumentFindings()
    /// The documents that the batch was split into; empty where it was not to be split.
    public var documents: [SplitDocument] = []
    /// The pages that could not be captured.
    public var skipped: [SkippedPage] = []
    /// The sinks that have the document.
    public var receipts: [Receipt] = []
    /// The sinks to which it could not be delivered.
    public var failures: [DeliveryFailure] = []
    /// The job whose captured pages are kept because a delivery failed: `copystand jobs resume`
    /// continues it.
    public var keptJob: String?
    /// What ``keptJob`` holds; nil where there is none.
    public var kept: Kept?
    /// How many blank pages were left out of files.
    public var blankPagesLeftOut = 0
    /// The job whose captured pages are kept because blank ones were left out of a file: it can be
    /// resumed with them.
    public var blankPagesJob: String?
    /// The job whose captured pages are kept because sheets between documents were left out: it can
    /// be resumed with them.
    public var asidePagesJob: String?
    /// The job that can be continued, because its capture ended early; its document so far is
    /// delivered.
    public var continuation: Continuation?
    /// Fronts and backs that were scanned in separate captures; nil for every other job.
    public var collated: Collation?

    /// What a job whose delivery failed still has.
    public struct Kept: Codable, Hashable, Sendable {
        /// Pages that are in the spool.
        public var pages: Int
        /// Pages that were released for lack of room, and whose files still exist unchanged.
        public var unread: Int
        /// Pages that were released, and whose files have changed or disappeared since.
        public var lost: Int
    }

    /// A job to continue.
    public struct Continuation: Codable, Hashable, Sendable {
        /// The job's name.
        public var job: String
        /// Pages that are safe in its folder.
        public var pages: Int
        /// Why its capturing ended.
        public var interruption: Interruption
        /// True when it continues by reading its files again from the first, with `jobs resume`;
        /// false when it adds pages, with `scan --append`.
        public var isReread = false
    }

    /// How many fronts and backs there were.
    public struct Collation: Codable, Hashable, Sendable {
        /// Pages of the first capture.
        public var fronts: Int
        /// Pages of the second.
        public var backs: Int
        /// False when two sheets were fed together in one of them.
        public var isEven: Bool { fronts == backs }
    }
}
