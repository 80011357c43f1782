import ExpectedFailures
import Glibc
import GuardedFiles

/// The lock between processes that add images and those that remove them, by `flock(2)` on a file
/// of the archive.
///
/// It is released when its process ends, even by a crash.
final class ImageLock: ImageHold {
    private let file: Int32

    /// Takes the lock together with others that add; waits while another process removes images,
    /// which takes little time.
    static func shared(_ path: String) throws(ArchiveError) -> ImageLock {
        try ImageLock(path, LOCK_SH)
    }

    /// Takes the lock exclusively.
    ///
    /// - Throws: ``ArchiveError`` `busy` while another process adds.
    static func exclusive(_ path: String) throws(ArchiveError) -> ImageLock {
        try ImageLock(path, LOCK_EX | LOCK_NB)
    }

    /// Takes the lock exclusively; waits while another process has it, which takes little time in
    /// an archive that is being made.
    static func waiting(_ path: String) throws(ArchiveError) -> ImageLock {
        try ImageLock(path, LOCK_EX)
    }

    /// Does nothing: a process that removes images waits for this lock.
    func note(_ images: [NewImage]) {}

    private init(_ path: String, _ kind: Int32) throws(ArchiveError) {
        let file = try guarded("open") { () throws(GuardedFileError) in
            let folder = try GuardedFolder(path.parent)
            let name = String(path.split(separator: "/").last ?? "")
            do throws(GuardedFileError) { return try folder.openOrCreate(name) } catch {
                guard [EACCES, EROFS, ENOSPC, EDQUOT].contains(error.number) else { throw error }
                // A process with only read permission can lock too. If the file was never made and
                // can't be, no one adds images, and the folder can take its place.
                if let file = ifSupported({ try folder.open(name).descriptor }) { return file }
                guard kind == LOCK_SH else { throw error }
                let file = fcntl(folder.descriptor, F_DUPFD_CLOEXEC, 0)
                guard file >= 0 else { throw error }
                return file
            }
        }
        while flock(file, kind) != 0 {
            if errno == EINTR { continue }
            let number = errno
            close(file)
            if number == EWOULDBLOCK {
                throw ArchiveError(
                    .busy,
                    "Another program is adding a document to the archive, so no image can be removed now. "
                        + "Try again when it has finished.")
            }
            throw .system(number, "lock", path)
        }
        // Set last: `deinit` also runs if `init` throws once everything is set, and would close a
        // closed descriptor, or one that another thread has opened since.
        self.file = file
    }

    deinit {
        // Closing alone is not enough: a child that is just being started shares the lock until it
        // runs its program.
        flock(file, LOCK_UN)
        close(file)
    }
}
