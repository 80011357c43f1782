import Archive
import FileNames
import Glibc

/// A place that a document was delivered to, and by what it can be seen later whether it has it
/// still.
public struct DeliveredPlace: Codable, Hashable, Sendable {
    /// The sink's name, which for a file is its path.
    public let sink: String
    /// What the sink calls the job's document: the job, and for one of a batch its number.
    public let job: String
    /// The pages of the document.
    public let pages: Int
    /// Its files as they were left, by their whole paths; empty where they are not on this machine.
    private let files: [DeliveredFile]
    /// The folder of the archive that has it; nil for other sinks.
    private let archive: String?

    /// Why a place has a document no more, as far as can be seen.
    public enum Loss: String, Codable, CaseIterable, Sendable {
        /// A file of it is not there, or the archive has it no more.
        case gone
        /// A file of it was written to or replaced.
        case changed
        /// Whether it is there can't be seen.
        case unreadable
    }

    /// The place that a receipt tells of.
    ///
    /// - Returns: nil for a document that waits in the outbox.
    public init?(_ receipt: Receipt, from sink: any Sink, job: String) {
        guard receipt.waiting == nil else { return nil }
        self.sink = receipt.sink
        self.job = job
        pages = receipt.pages
        archive = (sink as? ArchiveSink)?.folder
        let paths = receipt.locations.map(Self.absolute)
        if receipt.files.isEmpty {
            let isHere = (sink as? NamedSink)?.isFolder == true
            files = isHere ? paths.map { DeliveredFile(path: $0) ?? .missing($0) } : []
        } else {
            files = zip(receipt.files, paths).map { $0.renamed($1) }
        }
    }

    /// The path of its only file; nil for a place that is known by its sink.
    public var path: String? { files.count == 1 ? files[0].name : nil }

    /// Why it has the document no more; nil while it has, or where nobody here can see that.
    public var loss: Loss? {
        if let archive { return ArchiveSink(folder: archive).loss(of: job) }
        return files.lazy.compactMap(\.loss).first
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileNames.currentFolder + "/" + path
    }
}

extension DeliveredFile {
    /// The file that is at a path now; nil where there is no plain file.
    fileprivate init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(name: path, status)
    }

    /// A file that was gone before anybody could look at it.
    fileprivate static func missing(_ path: String) -> DeliveredFile {
        DeliveredFile(name: path, stat())
    }

    fileprivate func renamed(_ name: String) -> DeliveredFile {
        var file = self
        file.name = name
        return file
    }

    /// What has become of the file at the path that is its name; nil while it is as it was left.
    ///
    /// Its number in the file system does not count: some give another at every mount, and a copy
    /// with the same time and size has the same bytes.
    fileprivate var loss: DeliveredPlace.Loss? {
        var status = stat()
        guard stat(name, &status) == 0 else {
            return errno == ENOENT || errno == ENOTDIR ? .gone : .unreadable
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return .gone }
        let now = DeliveredFile(name: name, status)
        return now.size == size && now.modified == modified ? nil : .changed
    }
}

extension ArchiveSink {
    /// Why the archive has a job's document no more; nil while it has, in the trash or not.
    fileprivate func loss(of job: String) -> DeliveredPlace.Loss? {
        do {
            return try Archive(folder: folder, .readOnly).holds(documentOf: job) ? nil : .gone
        } catch {
            return error.code == .missing || error.code == .folderUnusable ? .gone : .unreadable
        }
    }
}
