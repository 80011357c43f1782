import FoundationEssentials
import GuardedFiles
import TemporaryFolders

/// A small file with which a sink is tried.
final class Probe {
    let mark: String
    let path: String
    let file: OutboxItem.File
    private let folder: TemporaryFolder

    /// Writes the file into a new folder, which is removed with this object.
    ///
    /// - Throws: ``DeliveryError`` when the disk refuses it.
    init() throws(DeliveryError) {
        do throws(TemporaryFolderError) {
            folder = try TemporaryFolder("probe")
        } catch {
            throw DeliveryError.disk(
                error.number, "make", "a temporary folder", in: TemporaryFolder.usualParent)
        }
        mark = String(folder.path.suffix(6))
        path = folder.path + "/probe.txt"
        let text = "Copystand tests this folder, and removes this file. \(mark)\n"
        do throws(GuardedFileError) {
            try GuardedFolder(folder.path).write(Array(text.utf8), new: "probe.txt")
        } catch { throw DeliveryError(error, "write") }
        file = OutboxItem.File(
            name: "probe.txt", mediaType: "text/plain", bytes: text.utf8.count,
            sha256: try fileHash(path))
    }
}
