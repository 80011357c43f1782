import Glibc
package import GuardedFiles

extension HostError {
    /// The error for a file or folder of the spool that can't be used.
    ///
    /// - Parameter file: the file that can't be written; nil when reading failed.
    package init(_ error: GuardedFileError, writing file: String? = nil) {
        guard error.number == ENOSPC || error.number == EDQUOT else {
            let advice = "Move it away"
            let ending = ". \(advice)."
            let isSplit = error.message.hasSuffix(ending)
            let message = isSplit ? error.message.dropLast(ending.count) : error.message[...]
            self.init(.spoolFailed, String(message), advice: isSplit ? advice : nil)
            return
        }
        errno = error.number
        self = SpoolFile.failure("'\(error.path)' can't be written", in: file ?? error.path)
    }
}

/// Does something with the files of a spool; its failures are those of the spool.
///
/// - Parameter file: the file that is written; nil for reading.
func spooling<Value>(
    _ file: String? = nil, _ body: () throws(GuardedFileError) -> Value
) throws -> Value {
    do throws(GuardedFileError) { return try body() } catch {
        throw HostError(error, writing: file)
    }
}
