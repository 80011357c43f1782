import Glibc

/// Bytes that wait on disk until a document is put together.
///
/// The file has no name, so it vanishes with the process.
final class NamelessFile {
    /// The place of a piece in the spool.
    struct Range: Hashable {
        var offset: Int
        var count: Int
    }

    let descriptor: Int32
    private let folder: OutputFolder
    private let document: String
    private(set) var count = 0

    /// Creates a spool in a folder.
    ///
    /// - Parameter document: The document's name, for messages.
    init(for document: String, in folder: OutputFolder) throws(DeliveryError) {
        let (name, descriptor) = try createTemporary(for: document, in: folder)
        unlinkat(folder.descriptor, name, 0)
        self.descriptor = descriptor
        self.folder = folder
        self.document = document
    }

    deinit { close(descriptor) }

    /// Adds bytes at the end.
    func append(_ bytes: [UInt8]) throws(DeliveryError) -> Range {
        let start = count
        try bytes.withUnsafeBufferPointer { (bytes) throws(DeliveryError) in
            try writeAll(
                UnsafeRawBufferPointer(bytes), at: start, to: descriptor, disk: folder.disk
            ) {
                .disk($0, "write", document, in: folder.path, written: start)
            }
        }
        count += bytes.count
        return Range(offset: start, count: bytes.count)
    }
}
