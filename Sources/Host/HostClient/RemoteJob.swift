/// The state of another host's job.
public struct RemoteJob: Decodable, Hashable, Sendable {
    /// The state of the job.
    public enum State: String, Decodable, Sendable {
        /// Pages are captured, processed or delivered.
        case running
        /// The job waits for paper, or for a person to turn the stack.
        case waiting
        /// Every source was read to its end.
        case completed
        /// The job was stopped; the earlier pages are delivered.
        case stopped
        /// A device or a sink failed.
        case failed
    }

    /// A page in progress.
    public struct Page: Decodable, Hashable, Sendable {
        /// The page's number.
        public var number: Int
        /// The page's name at its source; nil for none.
        public var label: String?
        /// `capturing`, `captured`, `finished` or `skipped`.
        public var stage: String
        /// The part of the page that has arrived, 0…1; nil if unknown.
        public var progress: Double?
        /// The width in pixels; nil until the page is finished.
        public var width: Int?
        /// The height in pixels; nil until the page is finished.
        public var height: Int?
        /// The number of words that were read; nil until the page is finished.
        public var words: Int?
        /// The problems with the page, for people.
        public var problems: [String]
    }

    /// A delivery to a sink, which has the document or will get it later.
    public struct Delivery: Decodable, Hashable, Sendable {
        /// The sink's name; `archive` for the host's archive.
        public var sink: String
        /// The sink's own name for the document; nil if unknown.
        public var document: String?
        /// The number of pages in the document.
        public var pages: Int
    }

    /// The job's id.
    public var id: String
    /// The job's state.
    public var state: State
    /// A sentence for users about what the job does, or how it ended.
    public var message: String
    /// The probable number of pages; nil if unknown.
    public var expected: Int?
    /// The pages, including those that could not be captured.
    public var pages: [Page]
    /// Sentences that the user should read.
    public var notices: [String]
    /// The deliveries of the document.
    public var deliveries: [Delivery]
    /// The failure, for people; nil for none.
    public var problem: String?

    /// True if the job has ended.
    public var isOver: Bool { state != .running && state != .waiting }
    /// The numbers of the job's documents in the host's archive, in the order of the batch; empty
    /// for none.
    public var archived: [Int64] {
        deliveries.filter { $0.sink == "archive" }.compactMap { $0.document.flatMap { Int64($0) } }
    }
}
