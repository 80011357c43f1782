import CaptureHost
import Dispatch
import ExpectedFailures
import Glibc
import GuardedFiles
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
        let descriptor: CInt
        do throws(GuardedFileError) {
            let folder = try GuardedFolder.folder(at: path)
            try folder.checkOwner()
            descriptor = try folder.openOrCreate(Self.lockName)
        } catch { throw .spool(path, error) }
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
    ///
    /// What can't be read may be a page.
    var holdsNothing: Bool {
        let spool = SpoolFolder(path: path)
        do {
            return try spool.pageNumbers().isEmpty && spool.arrivedNumbers().isEmpty
                && OwnFiles.paths(in: path).isEmpty
        } catch { return false }
    }

    /// True when a process holds the folder.
    static func isHeld(_ path: String) -> Bool {
        let lock = reportedLater { try GuardedFolder.folder(at: path).openOrCreate(lockName) }
        guard let descriptor = lock else { return false }
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

    private static let lockName = "lock"

    /// Why a job's folder can't be used: something else is in its place or in that of one of its
    /// files; nil for a usable or missing folder.
    static func problem(in path: String) -> String? {
        do throws(GuardedFileError) {
            let folder = try GuardedFolder.folder(at: path)
            try folder.checkOwner()
            return try OwnFiles.stranger(in: folder)?.message
        } catch { return error.code == .missing ? nil : error.message }
    }

    /// Checks that every file of the job is one.
    ///
    /// - Throws: ``JobError`` `spoolUnusable`, naming the unusable part.
    func checkFiles() throws(JobError) {
        if let problem = Self.problem(in: path) { throw JobError(.spoolUnusable, problem) }
    }

    /// Removes the folder and all pages in it.
    ///
    /// The folder is renamed first, in one step: a process that is killed meanwhile must not leave
    /// a job without some of its pages.
    func remove() {
        let place = ifSupported { try GuardedFolder.above(path) }
        guard let (root, name) = place else { return }
        let gone = Self.goneMark + name
        let isHidden = ifSupported { try root.rename(name, replacing: gone) } != nil
        let hidden = isHidden ? gone : name
        // Files are deleted in parallel, because the kernel takes a while to free the pages of a
        // large stack.
        if let folder = root.ifUsable(hidden) {
            let names = folder.listedNames
            DispatchQueue.concurrentPerform(iterations: names.count) { folder.discard(names[$0]) }
        }
        root.removeTree(hidden)
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
