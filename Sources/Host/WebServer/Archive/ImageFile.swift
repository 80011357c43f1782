import Archive
import HTTPServer

extension Archive {
    /// An image as the kernel sends it, without a copy in this process.
    func imageFile(_ hash: ImageHash) throws(ArchiveError) -> HTTPFile {
        let (descriptor, count) = try openImage(hash)
        return HTTPFile(descriptor: descriptor, offset: 0, count: count)
    }
}
