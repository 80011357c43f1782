import ExpectedFailures
import Glibc
import GuardedFiles
import Synchronization

/// The folder a document is written to, held open so that every step acts on the same folder.
///
/// `@unchecked Sendable`: the descriptor never changes, and the kernel serializes calls on it.
final class OutputFolder: @unchecked Sendable {
    /// The folder's path as the user wrote it; empty for the current folder.
    let path: String
    let disk: Disk
    let descriptor: Int32
    private let isSwept = Atomic(false)

    /// Opens an existing folder that may be written to.
    ///
    /// - Throws: ``DeliveryError`` `folderMissing` or `permissionDenied`, which names the file that
    ///   was to be written.
    init(path: String, for name: String, disk: Disk) throws(DeliveryError) {
        let place = path.isEmpty ? "." : path
        let opened = retryingInterrupts { open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard opened >= 0 else { throw .disk(errno, "write", name, in: path) }
        guard faccessat(opened, ".", W_OK | X_OK, 0) == 0 else {
            let number = errno
            close(opened)
            throw .disk(number, "write", name, in: path)
        }
        self.path = path
        self.disk = disk
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Removes files that killed runs have left here, when it is first called.
    func removeLeftovers() {
        guard !isSwept.exchange(true, ordering: .relaxed) else { return }
        try? GuardedFolder(open: descriptor, path: path.isEmpty ? "." : path).removeLeftovers()
    }

    /// True if something of that name exists, even if it is a dangling link.
    func holds(_ name: String) throws(DeliveryError) -> Bool {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return true }
        guard errno == ENOENT else { throw .disk(errno, "write", name, in: path) }
        return false
    }

    /// Gives the file `partial` its final name, and never replaces another file.
    ///
    /// A hard link is possible on every local file system except FAT. There, an empty file of ours
    /// first reserves the name, and the rename replaces it.
    ///
    /// - Returns: false when the name is in use.
    func place(_ partial: String, as name: String) throws(DeliveryError) -> Bool {
        if disk.link(descriptor, partial, name) == 0 {
            unlinkat(descriptor, partial, 0)
            return true
        }
        switch errno {
        case EEXIST: return false
        case EPERM, ENOTSUP, ENOSYS, EMLINK: break
        default: throw .disk(errno, "write", name, in: path)
        }
        let reserved = disk.create(descriptor, name)
        guard reserved >= 0 else {
            if errno == EEXIST { return false }
            throw .disk(errno, "write", name, in: path)
        }
        close(reserved)
        guard renameat(descriptor, partial, descriptor, name) == 0 else {
            let number = errno
            unlinkat(descriptor, name, 0)
            throw .disk(number, "write", name, in: path)
        }
        return true
    }

    /// Makes the folder's names durable.
    func sync() throws(DeliveryError) {
        guard retryingInterrupts({ disk.sync(descriptor) }) == 0 else {
            // Some network and FUSE file systems can't sync a folder, and have nothing in it to
            // make durable.
            if errno == EINVAL || errno == ENOTSUP || errno == EROFS { return }
            throw .disk(errno, "sync", "", in: path)
        }
    }

    /// The present state of the file called `name`, for recognizing it later; nil if there
    /// is no such plain file.
    func delivered(_ name: String) -> DeliveredFile? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return DeliveredFile(name: name, status)
    }

    /// The state of a document all of whose files are here and unchanged; nil when there is none.
    func standing(_ states: [[DeliveredFile]]) -> [DeliveredFile]? {
        states.first { state in
            !state.isEmpty && state.allSatisfy { delivered($0.name) == $0 }
        }
    }

    /// Gives `partial` the name of `earlier`, if that file still has it and is unchanged.
    ///
    /// The names are swapped in one step, and then the replaced file is checked: a file that
    /// someone else put there meanwhile is put back. On a file system that can't swap, the old file
    /// is first moved to `aside`, an unused name.
    ///
    /// - Returns: the name under which the old file waits, to be removed; nil when it was another
    ///   file.
    func exchange(
        _ partial: String, with earlier: DeliveredFile, aside: String
    ) throws(DeliveryError) -> String? {
        guard delivered(earlier.name) == earlier else { return nil }
        if disk.exchange(descriptor, partial, earlier.name) == 0 {
            if delivered(partial)?.isSame(as: earlier) == true { return partial }
            _ = disk.exchange(descriptor, partial, earlier.name)
            return nil
        }
        switch errno {
        case EINVAL, ENOSYS, ENOTSUP, EPERM: break
        case ENOENT: return nil
        default: throw .disk(errno, "write", earlier.name, in: path)
        }
        guard renameat(descriptor, earlier.name, descriptor, aside) == 0 else {
            throw .disk(errno, "write", earlier.name, in: path)
        }
        let isOurs = delivered(aside)?.isSame(as: earlier) == true
        do {
            if isOurs, try place(partial, as: earlier.name) { return aside }
        } catch {
            cleaningUp { try place(aside, as: earlier.name) }
            throw error
        }
        _ = try place(aside, as: earlier.name)
        return nil
    }
}
