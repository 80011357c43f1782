import Archive
import Delivery
import Documents
import FoundationEssentials
import Glibc
import GuardedFiles
import HTTPServer
import TemporaryFolders

/// Files made from archived documents for a client, removed after the client has them.
struct ExportFolder: Sendable {
    /// The formats of documents with their media types, by the ending of a file's name.
    static let formats = Dictionary(
        uniqueKeysWithValues: FileFormat.all.filter { !$0.isOneFileAPage }
            .map { ($0.name, $0.mediaType) })

    /// The folder in which the exports are made.
    let root: String

    /// The memory's file system: on a disk that is full or can only be read, reading must work.
    private static let memory = "/dev/shm"

    /// A document as an unlinked file.
    ///
    /// - Parameters:
    ///   - options: the settings of the file.
    ///   - pages: the pages of the file; nil for all.
    /// - Throws: an error of the archive or the disk.
    func file(
        of id: DocumentID, in archive: Archive, format: String, options: FileSinkOptions,
        pages: PageNumbers?, keepsBlankPages: Bool
    ) throws -> HTTPFile {
        func file(in parent: String) throws -> HTTPFile {
            try self.file(
                of: id, in: archive, format: format, options: options, pages: pages,
                keepsBlankPages: keepsBlankPages, parent)
        }
        do {
            try makePrivateFolder(root)
            return try file(in: root)
        } catch {
            guard Problem(error).status == 507 else { throw error }
            return try file(in: Self.memory)
        }
    }

    private func file(
        of id: DocumentID, in archive: Archive, format: String, options: FileSinkOptions,
        pages: PageNumbers?, keepsBlankPages: Bool, _ parent: String
    ) throws -> HTTPFile {
        let folder = try TemporaryFolder("export", in: parent)
        defer { folder.remove() }
        let path = folder.path + "/document." + format
        _ = try archive.deliver(
            id, to: Outputs.sink(for: path, fileOptions: options), pages: pages,
            keepsBlankPages: keepsBlankPages)
        guard let (descriptor, status) = HTTPFile.open(path) else {
            throw Problem(
                500, "delivery-failed",
                detail: "The document could not be written.")
        }
        return HTTPFile(descriptor: descriptor, offset: 0, count: Int(status.st_size))
    }
}
