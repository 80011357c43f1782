package import Archive
public import Documents
public import Imaging

/// A page in the form in which a sink gets it.
public struct DeliveredPage: Sendable {
    /// The page's metadata.
    public var page: Page
    /// The page's picture.
    public var image: Raster
    /// The JPEG that it was captured as, to be passed on unchanged; nil if a pixel has changed
    /// since.
    public var originalJPEG: [UInt8]?
    /// The file with the same pixels, which a sink may use; nil for none.
    ///
    /// The file stays until the document is finished.
    public var spooled: SpooledPicture?
    /// The captured picture that contains the page; nil for a page that shows all of it.
    public var uncut: UncutPicture?
    /// The page of a PDF that the page shows; nil for none, or a missing file.
    public var document: DocumentPage?
    /// The imported file of the page, which may show only a part of it; nil for none.
    public var origin: ImportedFile?
    /// Leaves the page, as it was before any processing, to the workers of an archive, and returns
    /// its size in bytes; nil for a page that only its processed form can be had of.
    package var leave: (@Sendable (Leaving) throws -> Int)?

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
    /// The sink's name in messages, such as the file's path.
    var name: String { get }

    /// Begins a document. Errors that can be found early are reported here, such as a missing
    /// folder or a name in use.
    ///
    /// - Throws: ``DeliveryError``.
    func begin(_ info: DocumentInfo) throws -> any SinkWriter
}

/// Receives the pages of one document in order, and delivers it at the end.
///
/// Calls come one after another. Memory must not grow with the number of pages: encoded pages wait
/// in files.
public protocol SinkWriter: AnyObject, Sendable {
    /// True for a place that keeps pages on which nothing is written, as the archive does; false by
    /// default.
    var keepsBlankPages: Bool { get }

    /// Adds the next page.
    ///
    /// - Throws: ``DeliveryError``, such as `noSpace`.
    func add(_ page: DeliveredPage) throws

    /// Receives the findings in the whole document, after its last page; does nothing by default.
    ///
    /// - Throws: ``DeliveryError``.
    func note(_ found: DocumentFindings) throws

    /// Makes the document durable and visible under its final name.
    func finish() throws -> Receipt

    /// Stops writing, and deletes everything written. It may be called after a failure, and does
    /// nothing after ``finish()``.
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
    /// The document's places: the paths of its files.
    public var locations: [String]
    /// The number of pages.
    public var pages: Int
    /// The size in bytes.
    public var bytes: Int
    /// The SHA-256 of the file at each location, in hexadecimal digits; nil if it was not computed.
    public var hashes: [String]?
    /// The sink's own name for the document; nil if it gave none.
    public var remoteID: String?
    /// The reason why the document waits, in the outbox or for a worker, where it is safe; nil when
    /// the sink has it.
    public var waiting: Waiting?
    /// Data that the sink's answer added to the document, by name.
    public var fields: [String: String]?
    /// Notes for people about the writing of the document; nil for none.
    public var notes: [String]?
    /// The number of the archive's document that has the same pages; nil for none.
    public var duplicateOf: String?
    /// The identities of the document's files, if the sink can replace them later; not a part of
    /// the receipt's JSON.
    public var files: [DeliveredFile] = []
    /// The place where a later check finds whether the document still exists; no part of the
    /// receipt's JSON.
    public var location: DeliveredPlace.Location?

    /// The reason why a document is still in the outbox or waits for a worker.
    public struct Waiting: Codable, Hashable, Sendable {
        /// The reason, for people.
        public var reason: String
        /// True for a refused document that needs a person; false for one that is tried again
        /// automatically.
        public var isRefused: Bool
        /// True for pages that a worker processes; nil for a document in the outbox.
        public var isForWorker: Bool?

        /// A reason.
        public init(_ reason: String, isRefused: Bool = false, isForWorker: Bool? = nil) {
            self.reason = reason
            self.isRefused = isRefused
            self.isForWorker = isForWorker
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
