public import WorkQueue

/// A captured job that a station has left to workers: its pages as they were captured, and what a
/// worker needs to know to process them.
public struct LeftJob: Hashable, Sendable {
    /// A page as it was captured.
    public struct Page: Hashable, Sendable {
        /// The description of the page, in the form of the host that left it.
        public var note: String
        /// Its picture among the archive's images.
        public var picture: ImageHash
        /// The media type of the picture, such as `image/png`.
        public var media: String
        /// The file that the device sent, among the archive's images; nil where the picture is that
        /// file, or for none.
        public var original: ImageHash?
    }

    /// A file that belongs to a page.
    public struct File: Sendable {
        /// Its bytes.
        public var bytes: [UInt8]
        /// The media type of the file, such as `image/png`.
        public var media: String

        /// A file.
        public init(bytes: [UInt8], media: String) {
            (self.bytes, self.media) = (bytes, media)
        }
    }

    /// The job's name on its station; the archive knows its document by it.
    public var name: String
    /// The order for the worker, in the form of the host that left it.
    public var order: String
    /// Its pages, in the order of the document.
    public var pages: [Page]

    /// The kind of such jobs in the queue.
    public static let kind = "process"
}

/// A worker's claim of a left job, which is checked in every transaction that adds a result.
///
/// A worker that was stopped and wakes up when another has the job can add nothing.
public struct LeftJobClaim: Hashable, Sendable {
    /// The claim of the job in the queue.
    public var job: ClaimedJob
    /// True if adding the next document completes the job.
    public var isLastDocument: Bool

    /// A claim.
    public init(_ job: ClaimedJob, isLastDocument: Bool) {
        self.job = job
        self.isLastDocument = isLastDocument
    }
}

/// The space that an archive's database and images take.
public struct ArchiveSpace: Hashable, Sendable {
    /// Bytes of the database.
    public var database: Int
    /// Bytes of the images; an estimate if there are many.
    public var images: Int
    /// The place of the images, for people.
    public var imagePlace: String
}
