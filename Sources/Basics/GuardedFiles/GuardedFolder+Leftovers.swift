import FileNames
import Glibc

/// What killed processes of this program have left under work names.
extension GuardedFolder {
    /// Removes files with a ``WorkName``, if their process has ended and no process holds a lock on
    /// them; and such folders, if this program makes any here.
    ///
    /// Removes only what belongs to this user, and ignores failures. Anyone who may write to this
    /// folder can give anything such a name, even a folder of this user that they can't enter.
    ///
    /// - Parameter isWork: whether an open folder with that name is one that a process was making;
    ///   no folder is, unless given.
    public func removeLeftovers(
        folders isWork: (GuardedFolder, _ name: String) -> Bool = { _, _ in false }
    ) {
        for name in (try? names()) ?? [] where WorkName.isAbandoned(name) {
            guard let about = try? status(name), about.st_uid == geteuid() else { continue }
            switch about.st_mode & S_IFMT {
            case S_IFREG:
                guard let (file, _) = try? open(name) else { continue }
                defer { close(file) }
                if Self.isUnused(file) { try? remove(name) }
            case S_IFDIR:
                guard let inner = try? folder(name), Self.isUnused(inner.descriptor),
                    isWork(inner, name)
                else { continue }
                removeFolder(name, inner)
            default: break
            }
        }
    }

    /// True if an open file belongs to this user and is not in use: its writer holds a lock, since
    /// a process in a container may not be visible from here.
    private static func isUnused(_ file: Int32) -> Bool {
        var about = stat()
        return fstat(file, &about) == 0 && about.st_uid == geteuid()
            && flock(file, LOCK_EX | LOCK_NB) == 0
    }
}
