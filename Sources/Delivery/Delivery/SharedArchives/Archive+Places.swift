public import Archive
import FoundationEssentials
import UserFiles

extension Archive {
    /// Opens the archive at a place: a folder, or the address of a database.
    ///
    /// - Throws: ``ArchiveError``.
    public static func open(
        _ place: String, _ access: Access
    ) throws(ArchiveError) -> Archive {
        guard isShared(place) else { return try Archive(folder: place, access) }
        return try Archive(database: place, access, sharedImages)
    }

    /// Makes an archive that many machines use, in an existing database.
    ///
    /// - Throws: ``ArchiveError``.
    public static func makeShared(
        _ place: String, _ images: ImageSettings
    ) throws(ArchiveError) {
        try make(at: place, images, sharedImages)
    }

    /// The store of images that a database describes; copies of them are in the user's cache.
    private static let sharedImages: ImageStoreMaker = { (settings) throws(ArchiveError) in
        let folder: String
        do throws(UserFileError) {
            folder = try UserFolders(environment: ProcessInfo.processInfo.environment)
                .usable(.cache)
        } catch { throw ArchiveError(.folderUnusable, error.message) }
        return try S3Images(settings, copies: folder + "/images")
    }
}
