import TemporaryFolders

/// A folder for temporary pages; it is deleted with the value, or at the next start after a kill.
package final class TemporarySpool: Sendable {
    package var path: String { folder.path }
    private let folder: TemporaryFolder

    /// Makes the spool in the folder for temporary files, only for this user.
    ///
    /// - Throws: ``JobError`` `spoolUnusable`.
    package init() throws(JobError) {
        do throws(TemporaryFolderError) {
            folder = try TemporaryFolder("pages")
        } catch {
            throw JobError(.spoolUnusable, error.message)
        }
    }
}
