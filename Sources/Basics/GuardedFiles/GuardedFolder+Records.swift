import Glibc
import UserFiles

/// Files that this program keeps in a folder: records that are replaced, and locks.
extension GuardedFolder {
    /// Checks that a name is unused, or that of a regular file.
    ///
    /// - Throws: ``GuardedFileError``: `wrongKind`, `system`.
    public func checkFile(_ name: String) throws(GuardedFileError) {
        guard let about = try status(name), about.st_mode & S_IFMT != S_IFREG else { return }
        throw .wrongKind(about, path(of: name), wanted: S_IFREG)
    }

    /// Makes or replaces a file, which is complete at every moment; only one process may do so.
    ///
    /// - Parameter isDurable: true if the file is on the disk afterward.
    /// - Throws: ``GuardedFileError``: `wrongKind`, `system`; the old file stays then.
    public func replace(
        _ name: String, with bytes: [UInt8], isDurable: Bool = false
    ) throws(GuardedFileError) {
        try checkFile(name)
        let part = name + ".part"
        try remove(part)
        try write(bytes, new: part, isDurable: isDurable)
        try rename(part, replacing: name)
        if isDurable { try sync() }
    }

    /// Gives a file another name, replacing a regular file that has it.
    ///
    /// - Throws: ``GuardedFileError``: `missing`, `wrongKind`, `system`.
    public func rename(
        _ name: String, replacing wanted: String
    ) throws(GuardedFileError) {
        try checkFile(wanted)
        try at(name) { folder, last throws(GuardedFileError) in
            guard renameat(folder, last, descriptor, wanted) == 0 else {
                throw .system(errno, "make", path(of: wanted))
            }
        }
    }

    /// Gives a folder another name, replacing nothing but an empty folder.
    ///
    /// - Returns: false if another folder has the name.
    /// - Throws: ``GuardedFileError``: `missing`, `wrongKind`, `system`.
    public func rename(folder name: String, as wanted: String) throws(GuardedFileError) -> Bool {
        if renameat(descriptor, name, descriptor, wanted) == 0 { return true }
        if errno == EEXIST || errno == ENOTEMPTY { return false }
        throw failure(errno, "make the folder", wanted)
    }

    /// The first entry that is neither a regular file nor one of the named folders; nil for none.
    ///
    /// - Parameter isFolder: whether a folder is expected under a name.
    /// - Throws: ``GuardedFileError`` when the folder can't be read.
    public func stranger(
        _ isFolder: (String) -> Bool = { _ in false }
    ) throws(GuardedFileError) -> GuardedFileError? {
        for name in try names() {
            guard let about = try status(name) else { continue }
            let wanted = isFolder(name) ? [S_IFREG, S_IFDIR] : [S_IFREG]
            if !wanted.contains(about.st_mode & S_IFMT) {
                return .wrongKind(about, path(of: name), wanted: wanted[wanted.count - 1])
            }
        }
        return nil
    }
}

extension GuardedFileError {
    /// Why the call failed, without the path and the period, such as "No such file or directory".
    public var reason: String { String(cString: strerror(number)) }
}
