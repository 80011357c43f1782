import Glibc
import GuardedFiles

/// Syncs a folder, so that the names in it are durable.
///
/// - Parameter sync: `fsync(2)`, or its replacement in tests.
func syncFolder(
    _ path: String, with sync: (Int32) -> Int32 = { fsync($0) }
) throws(ArchiveError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno, "open", path) }
    defer { close(descriptor) }
    // Some network file systems cannot sync a folder, and have nothing to make durable there.
    guard sync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
        throw .system(errno, "sync", path)
    }
}

/// Removes a folder that this program made, with all its contents and without following links;
/// what can't be removed stays.
func removeTree(_ path: String) { GuardedFolder.removeTree(at: path) }

/// Runs `body`, with its error as an ``ArchiveError``.
///
/// - Parameter verb: the action that fails, such as "write".
func guarded<Value>(
    _ verb: String, _ body: () throws(GuardedFileError) -> Value
) throws(ArchiveError) -> Value {
    do throws(GuardedFileError) { return try body() } catch { throw ArchiveError(error, verb) }
}
