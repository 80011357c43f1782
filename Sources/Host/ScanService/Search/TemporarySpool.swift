import FoundationEssentials
import Glibc

/// A folder for temporary pages; it is deleted with the value.
package final class TemporarySpool: Sendable {
    package let path: String

    /// Makes the spool in the folder for temporary files, only for this user (`mkdtemp`).
    ///
    /// - Throws: ``JobError`` `spoolUnusable`.
    package init() throws(JobError) {
        let parent = FileManager.default.temporaryDirectory.path
        var template = Array("\(parent)/copystand-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw JobError(
                .spoolUnusable,
                "No temporary folder can be made in \(parent): \(String(cString: strerror(errno))). Make room there, or name "
                    + "another folder in TMPDIR.")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
