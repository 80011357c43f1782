public import Documents
public import Imaging

/// A page in the form in which a sink gets it.
public struct DeliveredPage: Sendable {
    /// What is known about the page.
    public var page: Page
    /// Its picture.
    public var image: Raster
    /// The JPEG it was captured as, when not a pixel has changed since: to be passed through.
    public var originalJPEG: [UInt8]?
    /// Where the same pixels are in a file that a sink may take; nil when there is none.
    ///
    /// The file stays until the document is finished.
    public var spooled: SpooledPicture?
    /// The captured picture of which the page is a part; nil for a page that shows all of it.
    public var uncut: UncutPicture?
    /// The page of a PDF that it comes from; nil when it comes from none, or the file is not
    /// available.
    public var document: DocumentPage?
    /// The imported file that it comes from, of which it may be a part; nil when none is available.
    public var origin: ImportedFile?

    /// A page for a sink.
    public init(
        page: Page, image: Raster, originalJPEG: [UInt8]? = nil, spooled: SpooledPicture? = nil,
        uncut: UncutPicture? = nil, document: DocumentPage? = nil,
        origin: ImportedFile? = nil
    ) {
        self.page = page
        self.image = image
        self.originalJPEG = originalJPEG
        self.spooled = spooled
        self.uncut = uncut
        self.document = document
        self.origin = origin
    }
}

/// A place documents go to, such as a file.
public protocol Sink: Sendable {
    /// What it is called in messages, such as the file's path.
    var name: String { get }

    /// Begins a document. Errors that can be found early are reported here: a folder that is
    /// missing, a name that is taken.
    ///
    /// - Throws: ``DeliveryError``.
    func begin(_ info: DocumentInfo) throws -> any SinkWriter
}

/// Takes the pages of one document in order, and hands it over at the end.
///
/// Calls come one after another. Memory must not grow with the number of pages: encoded pages wait
/// in files.
public protocol SinkWriter: AnyObject, Sendable {
    /// True for a place that keeps pages on which nothing is written, as the archive does; false by
    /// default.
    var keepsBlankPages: Bool { get }

    /// Takes the next page.
    ///
    /// - Throws: ``DeliveryError``, such as `noSpace`.
    func add(_ page: DeliveredPage) throws

    /// Receives what was found in the document as a whole, after its last page; a place that has no
    /// use for it does nothing.
    ///
    /// - Throws: ``DeliveryError``.
    func note(_ found: DocumentFindings) throws

    /// Makes the document durable and visible under its final name.
    func finish() throws -> Receipt

    /// Leaves nothing behind. Safe after a failure, and without effect after ``finish()``.
    func cancel()
}

extension SinkWriter {
    /// False: a document is delivered without pages on which nothing is written.
    public var keepsBlankPages: Bool { false }

    /// Does nothing: most files have no place for it.
    public func note(_ found: DocumentFindings) throws {}
}

/// A sink's confirmation that it has the document.
public struct Receipt: Codable, Hashable, Sendable {
    /// The sink's name.
    public var sink: String
    /// Where the document is now: the paths of its files.
    public var locations: [String]
    /// How many pages it has.
    public var pages: Int
    /// How many bytes it takes.
    public var bytes: Int
    /// The SHA-256 of what is at each location, in hexadecimal digits; nil where it was not taken.
    public var hashes: [String]?
    /// The sink's own name for the document, where it gave one.
    public var remoteID: String?
    /// Why the document waits in the outbox, where it is safe; nil when the sink has it.
    public var waiting: Waiting?
    /// Data that the sink's answer added to the document, by name.
    public var fields: [String: String]?
    /// What people should know about how the document was written, in sentences; nil for nothing.
    public var notes: [String]?
    /// The number of the archive's document that has the same pages; nil for none.
    public var duplicateOf: String?
    /// What identifies its files, where the sink can replace them later; no part of the receipt's
    /// JSON.
    public var files: [DeliveredFile] = []
    /// The place where it can be checked later whether the document still exists; no part of the
    /// receipt's JSON.
    public var location: DeliveredPlace.Location?

    /// Why a document is still in the outbox.
    public struct Waiting: Codable, Hashable, Sendable {
        /// Why, for people.
        public var reason: String
        /// True when it was refused, so that only a person can help; false when it is tried again
        /// automatically.
        public var isRefused: Bool

        /// A reason.
        public init(_ reason: String, isRefused: Bool = false) {
            self.reason = reason
            self.isRefused = isRefused
        }
    }

    private enum CodingKeys: String, CodingKey {
        case sink, locations, pages, bytes, hashes, remoteID, waiting, fields, notes, duplicateOf
    }

    /// A receipt.
    public init(
        sink: String, locations: [String], pages: Int, bytes: Int, hashes: [String]? = nil,
        remoteID: String? = nil, waiting: Waiting? = nil, fields: [String: String]? = nil,
        notes: [String]? = nil, duplicateOf: String? = nil, files: [DeliveredFile] = []
    ) {
        self.sink = sink
        self.locations = locations
        self.pages = pages
        self.bytes = bytes
        self.hashes = hashes
        self.remoteID = remoteID
        self.waiting = waiting
        self.fields = fields
        self.notes = notes
        self.duplicateOf = duplicateOf
        self.files = files
    }
}

/// Why a document could not be delivered.
public struct DeliveryError: Error, Hashable, Sendable {
    /// What sort of failure it is.
    public enum Code: Hashable, Sendable {
        /// The ending names no known format.
        case unknownFormat
        /// The folder is not there.
        case folderMissing
        /// A file of that name already exists.
        case alreadyExists
        /// The user may not write there.
        case permissionDenied
        /// No space is left.
        case noSpace
        /// Reading or writing failed.
        case inputOutput
        /// The document can't be put in this format.
        case unsupported
        /// There is no such option or kind of sink, or a value is out of range.
        case invalidOption
        /// Nothing in the outbox has that name.
        case noSuchItem
        /// Another process works on it.
        case busy
        /// A service can't be reached, or rejects the credentials.
        case unreachable
    }

    /// What sort of failure it is.
    public let code: Code
    /// What failed, with the path, and what to do next.
    public let message: String

    /// An error for people to read.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
