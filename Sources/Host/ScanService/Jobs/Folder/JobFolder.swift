import CaptureHost
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// The folder of a job that this process works on.
///
/// A lock on the folder shows other processes that it is in use; the lock ends with this process.
final class JobFolder: Sendable {
    let path: String
    /// The descriptor with the lock; −1 after its release.
    private let lock: Mutex<CInt>

    /// Locks a job's folder.
    ///
    /// - Throws: ``JobError`` `running` when another process holds it, `spoolUnusable` when it
    ///   can't be locked.
    init(path: String) throws(JobError) {
        let descriptor = Self.openLock(path)
        guard descriptor >= 0 else {
            throw JobError(
                .spoolUnusable,
                "The job folder \(path) can't be used: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw JobError(.running, "Another process is working on the job in \(path)")
        }
        self.path = path
        lock = Mutex(descriptor)
    }

    /// The job's name.
    var id: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// True when discarding the folder loses nothing: it contains no page or file without another
    /// copy.
    var holdsNothing: Bool {
        let spool = SpoolFolder(path: path)
        return (try? spool.pageNumbers()) == [] && spool.arrivedNumbers.isEmpty
            && OwnFiles.count(in: path) == 0
    }

    /// True when a process holds the folder.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = openLock(path)
        guard descriptor >= 0 else { return false }
        defer { unlock(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    /// Releases a lock.
    ///
    /// Closing is not enough, because a child process that is being started shares the lock until
    /// it runs its program.
    private static func unlock(_ descriptor: CInt) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func openLock(_ path: String) -> CInt {
        open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }

    /// Removes the folder and all pages in it.
    ///
    /// The folder is renamed first, in one step: a process that is killed meanwhile must not leave
    /// a job without some of its pages.
    func remove() {
        let gone = String(path.dropLast(id.utf8.count)) + Self.goneMark + id
        let place = rename(path, gone) == 0 ? gone : path
        // Files are deleted in parallel, because the kernel takes a while to free the pages of a
        // large stack.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        DispatchQueue.concurrentPerform(iterations: names.count) { unlink("\(place)/\(names[$0])") }
        try? FileManager.default.removeItem(atPath: place)
    }

    /// The beginning of the names of folders that are being removed.
    static let goneMark = ".gone-"

    /// Releases the folder, so that another job may continue with it.
    func release() {
        let descriptor = lock.withLock { lock in
            defer { lock = -1 }
            return lock
        }
        if descriptor >= 0 { Self.unlock(descriptor) }
    }

    deinit { release() }
}
