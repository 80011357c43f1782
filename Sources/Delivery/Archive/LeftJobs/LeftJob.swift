public import WorkQueue

/// A captured job that a station has left to workers: its pages as they were captured, and what a
/// worker needs to know to process them.
public struct LeftJob: Hashable, Sendable {
    /// A page as it was captured.
    public struct Page: Hashable, Sendable {
        /// What is known about it, in the form of whoever left it.
        public var note: String
        /// Its picture among the archive's images.
        public var picture: ImageHash
        /// What sort of file the picture is, such as `image/png`.
        public var media: String
        /// The file that the device sent, among the archive's images; nil where the picture is that
        /// file, or there was none.
        public var original: ImageHash?
    }

    /// A file that belongs to a page.
    public struct File: Sendable {
        /// Its bytes.
        public var bytes: [UInt8]
        /// What sort of file it is, such as `image/png`.
        public var media: String

        /// A file.
        public init(bytes: [UInt8], media: String) {
            (self.bytes, self.media) = (bytes, media)
        }
    }

    /// The job's name on its station; the archive knows its document by it.
    public var name: String
    /// What a worker needs to know, in the form of whoever left it.
    public var order: String
    /// Its pages, in the order of the document.
    public var pages: [Page]

    /// The kind of such jobs in the queue.
    public static let kind = "process"
}

/// A worker's claim of a left job, which is checked in every transaction with a result of it.
///
/// A worker that was stopped and wakes up when another has the job can add nothing.
public struct LeftJobClaim: Hashable, Sendable {
    /// The claim of the job in the queue.
    public var job: ClaimedJob
    /// Whether the job is done with the next document that is added.
    public var isLastDocument: Bool

    /// A claim.
    public init(_ job: ClaimedJob, isLastDocument: Bool) {
        self.job = job
        self.isLastDocument = isLastDocument
    }
}

/// What an archive's database and images take.
public struct ArchiveSpace: Hashable, Sendable {
    /// Bytes of the database.
    public var database: Int
    /// Bytes of the images; of many, an estimate.
    public var images: Int
    /// Where the images are, for people.
    public var imagePlace: String
}
