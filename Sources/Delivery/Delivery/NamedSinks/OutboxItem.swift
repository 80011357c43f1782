public import Documents

/// A document that waits for a named sink, in the outbox's form.
///
/// The item is on the disk before the first attempt, and stays there until the sink has confirmed
/// it or a person drops it.
public struct OutboxItem: Codable, Hashable, Sendable {
    /// A file of the document.
    public struct File: Codable, Hashable, Sendable {
        /// The file's name within the item's folder.
        public var name: String
        /// The file's media type, such as `application/pdf`.
        public var mediaType: String
        /// The file's size in bytes.
        public var bytes: Int
        /// The file's SHA-256 in hexadecimal digits.
        public var sha256: String

        /// True for a name that leads nowhere else.
        var isPlain: Bool { !["", ".", ".."].contains(name) && !name.utf8.contains(0x2F) }
    }

    /// The item's state.
    public enum State: String, Codable, Hashable, Sendable {
        /// The document is tried at the time of ``nextTry``.
        case waiting
        /// The sink refused the document: only a person can solve this, and then retry it.
        case refused
    }

    /// The item's id, which is also the idempotency key of its delivery.
    public let id: String
    /// The name of its sink.
    public let sink: String
    /// The document's title.
    public var title: String
    /// The document's type, such as `invoice`; nil when unknown.
    public var type: String?
    /// The text of the first barcode on the pages; nil for none.
    public var barcode: String?
    /// The time when the document was made, in seconds since 1970.
    public var created: Double
    /// The number of pages.
    public var pages: Int
    /// The text of the pages; nil if it was not read.
    public var text: String?
    /// The files of the document.
    public var files: [File]
    /// The recipients in the order; nil for the sink's own.
    public var recipient: String?
    /// The job that the document comes from; nil for none.
    public var job: String?
    /// The folder of the archive that keeps the receipt with the document; nil for none.
    public var archive: String?
    /// The number of the archive's document that it was made of; nil for a job's own document.
    public var document: Int64?

    /// The user who ordered the document, and sees it while it waits; nil for everyone.
    public var user: ArchiveUser?

    /// The item's state.
    public var state = State.waiting
    /// The number of attempts.
    public var attempts = 0
    /// The time of the next attempt, in seconds since 1970; 0 for immediately.
    public var nextTry = 0.0
    /// The reason why the document has not been delivered yet; nil before the first attempt.
    public var problem: String?
    /// The deliverer's notes for continuing, such as the task that it waits for.
    public var progress: [String: String] = [:]
    /// Data from the sink's answers so far.
    public var fields: [String: String] = [:]

    /// The number of files that the sink has already.
    var sentFiles: Int { max(0, Int(progress["sent"] ?? "") ?? 0) }
    /// The size of these files in bytes.
    var sentBytes: Int { Self.length(files.prefix(sentFiles)) }
    /// The length of all its files.
    public var bytes: Int { Self.length(files[...]) }

    private static func length(_ files: ArraySlice<File>) -> Int {
        files.reduce(0) { sum, file in
            let (total, isOver) = sum.addingReportingOverflow(file.bytes)
            return isOver ? .max : total
        }
    }
}

/// The result of trying to deliver.
enum DeliveryAttempt: Hashable, Sendable {
    /// The sink has the document.
    case delivered(RemoteReceipt)
    /// The delivery is in progress; check again after this many seconds.
    case underway(after: Double, String)
    /// Delivery is not possible now. It is tried again later, after this many seconds if the sink
    /// asked for that.
    case later(String, after: Double?)
    /// Trying again can't help.
    case refused(String)
}

/// The reason why a delivery is not possible.
struct Obstacle: Error {
    let attempt: DeliveryAttempt
    init(_ attempt: DeliveryAttempt) { self.attempt = attempt }

    /// The failure as one of a test.
    var error: DeliveryError {
        switch attempt {
        case .later(let words, _), .refused(let words), .underway(_, let words):
            DeliveryError(.unreachable, words)
        case .delivered(let receipt):
            DeliveryError(.unreachable, receipt.locations.joined(separator: ", "))
        }
    }
}

/// A sink's confirmation that it has a document.
struct RemoteReceipt: Hashable, Sendable {
    /// The document's places for people: an address or a name, or one for each of its files.
    var locations: [String]
    /// The sink's own name for it.
    var remoteID: String?
    /// Notes for people about the delivery.
    var notes: [String] = []
    /// The document's files on this machine as they were left, with absolute paths; nil for a
    /// service.
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
    ///   - item: the document; changes to `progress` and `fields` are stored.
    ///   - folder: the path of the folder with its files.
    ///   - save: stores the changes on the disk; call it before any action that must not happen
    ///     twice.
    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt

    /// Describes, in words for people, whether the sink can be reached and accepts the credentials.
    func test() throws(DeliveryError) -> String
}
