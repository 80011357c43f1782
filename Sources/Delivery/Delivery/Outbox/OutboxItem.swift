/// A document on its way to a named sink, as the outbox keeps it.
///
/// It is on the disk before the first try, and stays there until the sink has confirmed it or
/// somebody drops it.
public struct OutboxItem: Codable, Hashable, Sendable {
    /// A file of the document.
    public struct File: Codable, Hashable, Sendable {
        /// Its name within the item's folder.
        public var name: String
        /// Its media type, such as `application/pdf`.
        public var mediaType: String
        /// Its length.
        public var bytes: Int
        /// Its SHA-256 in hexadecimal digits.
        public var sha256: String
    }

    /// The item's state.
    public enum State: String, Codable, Hashable, Sendable {
        /// It is tried when its time has come.
        case waiting
        /// The sink refused it: only a person can help, and then retry it.
        case refused
    }

    /// Its name, also the idempotency key of its delivery.
    public let id: String
    /// The named sink it is for.
    public let sink: String
    /// The document's title.
    public var title: String
    /// What kind of document it is, such as `invoice`; nil when unknown.
    public var type: String?
    /// What the first barcode on its pages says; nil where none was read.
    public var barcode: String?
    /// When it was made, in seconds since 1970.
    public var created: Double
    /// How many pages it has.
    public var pages: Int
    /// The text of its pages, where it was read.
    public var text: String?
    /// The document.
    public var files: [File]
    /// The recipients named with the order; nil for the sink's own.
    public var recipient: String?
    /// The job it comes from; nil for none.
    public var job: String?
    /// The folder of the archive that keeps the receipt with the job's document; nil for none.
    public var archive: String?

    /// The item's state.
    public var state = State.waiting
    /// How often it was tried.
    public var attempts = 0
    /// When it is tried next, in seconds since 1970; 0 for immediately.
    public var nextTry = 0.0
    /// Why it has not been delivered yet.
    public var problem: String?
    /// What its deliverer noted in order to continue, such as the task it waits for.
    public var progress: [String: String] = [:]
    /// Data that the sink's answers gave so far.
    public var fields: [String: String] = [:]

    /// How many of its files the sink has already.
    var sentFiles: Int { max(0, Int(progress["sent"] ?? "") ?? 0) }
    /// The length of those.
    var sentBytes: Int { Self.length(files.prefix(sentFiles)) }
    /// The length of all its files.
    public var bytes: Int { Self.length(files[...]) }

    private static func length(_ files: ArraySlice<File>) -> Int {
        files.reduce(0) { sum, file in
            let (total, isOver) = sum.addingReportingOverflow(file.bytes)
            return isOver ? .max : total
        }
    }

    /// A document for a sink.
    init(id: String, sink: String, title: String, created: Double, pages: Int, files: [File]) {
        self.id = id
        self.sink = sink
        self.title = title
        self.created = created
        self.pages = pages
        self.files = files
    }
}

/// The result of trying to deliver.
enum DeliveryAttempt: Hashable, Sendable {
    /// The sink has the document.
    case delivered(RemoteReceipt)
    /// It is on its way; check again after this many seconds.
    case underway(after: Double, String)
    /// Delivery is not possible now and is tried again later, after this many seconds if the sink
    /// asked for that.
    case later(String, after: Double?)
    /// Trying again can't help.
    case refused(String)
}

/// A sink's confirmation that it has a document.
struct RemoteReceipt: Hashable, Sendable {
    /// Where it is, for people: an address or a name, or each of its files.
    var locations: [String]
    /// The sink's own name for it.
    var remoteID: String?
    /// What people should know about the delivery, in sentences.
    var notes: [String] = []
    /// Its files on this machine as they were left, by their whole paths; nil for a service's.
    var files: [DeliveredFile]?
}

extension RemoteReceipt {
    /// The confirmation of a sink that has the document in one place.
    init(location: String, remoteID: String? = nil, notes: [String] = []) {
        self.init(locations: [location], remoteID: remoteID, notes: notes)
    }
}

/// Delivers documents to one sink.
///
/// Calls block.
protocol Deliverer: Sendable {
    /// Tries to deliver a document, or continues where the last try ended.
    ///
    /// - Parameters:
    ///   - item: notes in `progress` and `fields` are kept.
    ///   - folder: where its files are.
    ///   - save: makes what was noted durable; to be called before anything that must not be done
    ///     twice.
    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt

    /// Whether the sink can be reached and accepts the credentials, in words for people.
    func test() throws(DeliveryError) -> String
}
