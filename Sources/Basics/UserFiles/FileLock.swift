import Glibc

/// A process's exclusive right to change a file, by `flock(2)` on a lock file next to it.
///
/// The file itself can't carry the lock, because a change puts another file in its place. The
/// kernel releases the lock however the process ends, so a leftover lock file blocks no one.
final class FileLock {
    private let descriptor: Int32

    /// Waits for the lock, and makes its file in an open folder if it is missing.
    ///
    /// - Throws: ``UserFileError``.
    init(_ name: String, in folder: Int32, path: String) throws(UserFileError) {
        while true {
            let opened = retryingInterrupts {
                openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            }
            guard opened >= 0 else { throw .failed("be locked", path) }
            guard retryingInterrupts({ flock(opened, LOCK_EX) }) == 0 else {
                let error = UserFileError.failed("be locked", path)
                close(opened)
                throw error
            }
            if Self.isStill(name, in: folder, opened) {
                descriptor = opened
                return
            }
            // Another process has removed the lock file, so the next one would lock a new file.
            close(opened)
        }
    }

    deinit {
        // Closing is not enough: a child process that is being started holds the lock too, until it
        // runs its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func isStill(_ name: String, in folder: Int32, _ opened: Int32) -> Bool {
        var (named, locked) = (stat(), stat())
        return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && fstat(opened, &locked) == 0 && named.st_ino == locked.st_ino
            && named.st_dev == locked.st_dev
    }
}

extension UserFileError {
    /// The error for a system call that failed on a file; `errno` has the reason.
    ///
    /// - Parameter needed: the bytes that should have been written; nil if unknown.
    static func failed(_ verb: String, _ path: String, needed: Int? = nil) -> UserFileError {
        let number = errno
        if let refusal = DiskRefusal(number, at: path, needed: needed) {
            return UserFileError(
                refusal.reason == .full ? .noSpace : .readOnly,
                "'\(path)' can't \(verb). \(refusal.message)")
        }
        let reason = String(cString: strerror(number))
        switch number {
        case EACCES, EPERM, ENOTDIR, ENOENT:
            return UserFileError(
                .folderUnusable,
                "'\(path)' can't \(verb): \(reason). Check who may write there with: ls -ld \(shellWord(parent(of: path)))"
            )
        default:
            return UserFileError(
                .inputOutput, "'\(path)' can't \(verb): \(reason). Check the disk it is on.")
        }
    }
}
