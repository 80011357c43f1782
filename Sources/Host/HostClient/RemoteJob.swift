/// How far a job of another host is.
public struct RemoteJob: Decodable, Hashable, Sendable {
    /// Its state.
    public enum State: String, Decodable, Sendable {
        /// Pages are captured, processed or delivered.
        case running
        /// It waits for paper, or for the stack to be turned.
        case waiting
        /// Every source was read to its end.
        case completed
        /// It was stopped; what was captured before is delivered.
        case stopped
        /// A device or a sink failed.
        case failed
    }

    /// A page in progress.
    public struct Page: Decodable, Hashable, Sendable {
        /// Its number.
        public var number: Int
        /// What it is called at its source.
        public var label: String?
        /// `capturing`, `captured`, `finished` or `skipped`.
        public var stage: String
        /// How much of it has arrived, 0…1.
        public var progress: Double?
        /// Its width in pixels, once it is finished.
        public var width: Int?
        /// Its height in pixels, once it is finished.
        public var height: Int?
        /// Words that were read.
        public var words: Int?
        /// What went wrong with it.
        public var problems: [String]
    }

    /// A sink that has the document, or has it waiting.
    public struct Delivery: Decodable, Hashable, Sendable {
        /// The sink's name; `archive` for the host's archive.
        public var sink: String
        /// The sink's own name of the document.
        public var document: String?
        /// How many pages it has.
        public var pages: Int
    }

    /// Its name.
    public var id: String
    /// Its state.
    public var state: State
    /// What it does, or how it ended, in a sentence for users.
    public var message: String
    /// How many pages there will be, as far as is known.
    public var expected: Int?
    /// Its pages, those that could not be captured among them.
    public var pages: [Page]
    /// What its user should know, in sentences.
    public var notices: [String]
    /// Where its document is.
    public var deliveries: [Delivery]
    /// What has failed.
    public var problem: String?

    /// Whether it has ended.
    public var isOver: Bool { state != .running && state != .waiting }
    /// The numbers of its documents in the host's archive, in the order of the batch; empty when
    /// none is there.
    public var archived: [Int64] {
        deliveries.filter { $0.sink == "archive" }.compactMap { $0.document.flatMap { Int64($0) } }
    }
}
