import FileNames
import Glibc

/// A place that a document was delivered to, with the data for checking later whether it is still
/// there.
public struct DeliveredPlace: Codable, Hashable, Sendable {
    /// The sink's name, which for a file is its path.
    public var sink: String
    /// The sink's key for the job's document: the job and, in a batch, the document's number.
    public var job: String
    /// The number of the document's pages that the place has.
    public var pages: Int
    /// The captured pages that the document was made of; nil for one of a batch.
    public var captured: Int?
    /// The place itself.
    public let location: Location

    /// A document's place that this machine can check.
    public enum Location: Codable, Hashable, Sendable {
        /// Files by their absolute paths, in the state in which they were left.
        ///
        /// - Parameter showsPages: whether they are pictures of the pages, and not their text
        /// alone.
        case files([DeliveredFile], showsPages: Bool)
        /// A document of the archive in a folder, with the hashes of the pictures that it was
        /// delivered with.
        case archive(folder: String, document: String, pictures: [String])
        /// An item of an outbox that waits for a named sink, or was accepted by one.
        ///
        /// - Parameter showsPages: whether the files are unchanged pictures of the pages.
        case outbox(root: String, item: String, showsPages: Bool)
    }

    /// The reason why a place no longer has a document, if this machine can check it.
    public enum Loss: String, Codable, CaseIterable, Sendable {
        /// The document is missing.
        case gone
        /// The document was changed, replaced or divided.
        case changed
        /// The document is in the archive's trash.
        case trashed
        /// This machine can't read the place.
        case unreadable
    }

    /// The result of examining a place.
    public struct Look: Sendable {
        /// The reason why the place no longer has the document; nil if it has it, or this can't be
        /// checked.
        public var loss: Loss?
        /// The affected file; nil for none.
        public var file: String?
        /// True if the pages themselves were found there.
        public var showsPages = false
    }

    /// The place in a receipt; nil for a place that can't be checked later.
    public init?(_ receipt: Receipt, job: String) {
        guard let location = receipt.location else { return nil }
        (sink, self.job, pages, self.location) = (receipt.sink, job, receipt.pages, location)
        // An absolute path has the same meaning in every folder.
        if case .files = location, !sink.hasPrefix("/") {
            sink = FileNames.currentFolder + "/" + sink
        }
    }

    /// A place from a job record of an older version.
    public init(sink: String, job: String, pages: Int, location: Location) {
        (self.sink, self.job, self.pages, self.location) = (sink, job, pages, location)
    }
}

extension DeliveredFile {
    /// The file that is at a path now; nil where there is no plain file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(name: path, status)
    }

    /// A file that was missing before it could be examined.
    static func missing(_ path: String) -> DeliveredFile { DeliveredFile(name: path, stat()) }

    /// The change of the file at its path; nil while it is unchanged.
    ///
    /// The inode number does not count: some file systems change it at every mount, and a copy with
    /// the same time and size has the same bytes.
    var loss: DeliveredPlace.Loss? {
        var status = stat()
        guard stat(name, &status) == 0 else {
            return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? .gone : .unreadable
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return .gone }
        let now = DeliveredFile(name: name, status)
        return now.size == size && now.modified == modified ? nil : .changed
    }
}
