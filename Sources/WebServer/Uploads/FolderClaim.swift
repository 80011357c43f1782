import Glibc

/// A folder that this process uses (`flock`), until the claim is released or the process ends in any way.
final class FolderClaim: Sendable {
    private let descriptor: CInt

    /// Claims a folder; nil when it is no folder, or another process has claimed it.
    init?(_ path: String) {
        let opened = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            return nil
        }
        descriptor = opened
    }

    deinit { close(descriptor) }
}
