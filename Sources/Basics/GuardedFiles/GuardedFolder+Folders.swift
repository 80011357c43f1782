public import Glibc
import UserFiles

/// Folders that a program makes inside a folder of others.
extension GuardedFolder {
    /// A subfolder for this program's own files, which is made if it is missing.
    ///
    /// One that is there already must belong to this user, to root or to the owner of the folder
    /// above. Only those who may change the folder above may change it.
    ///
    /// - Parameters:
    ///   - mode: the mode of a new folder, before the umask.
    ///   - checksOwner: false where a server decides who owns a file.
    /// - Throws: ``GuardedFileError``: `wrongKind`, `notOwn`, `system`.
    public func ownFolder(
        _ name: String, mode: mode_t = 0o700, checksOwner: Bool = true
    ) throws(GuardedFileError) -> GuardedFolder {
        let isNew = mkdirat(descriptor, name, mode) == 0
        guard isNew || errno == EEXIST else {
            throw .system(errno, "make the folder", path(of: name))
        }
        let made = try folder(name, isNew: isNew)
        if !isNew, checksOwner { try made.checkOwner(below: self) }
        return made
    }

    /// Makes a subfolder with an unused name.
    ///
    /// - Returns: the folder and its name, which is `prefix` and six random letters.
    /// - Throws: ``GuardedFileError``.
    public func newFolder(
        _ prefix: String, mode: mode_t = 0o700
    ) throws(GuardedFileError) -> (folder: GuardedFolder, name: String) {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        while true {
            let name = prefix + String((0..<6).map { _ in letters.randomElement()! })
            if mkdirat(descriptor, name, mode) == 0 { return (try folder(name, isNew: true), name) }
            guard errno == EEXIST else { throw .system(errno, "make a folder in", path) }
        }
    }

    /// Removes an empty subfolder; does nothing if it has files or is gone.
    public func removeEmptyFolder(_ name: String) { unlinkat(descriptor, name, AT_REMOVEDIR) }

    /// Removes a file, a link itself, or a folder with its contents, without following links.
    ///
    /// Files that can't be removed stay.
    public func removeTree(_ name: String) {
        guard let about = entry(name) else { return }
        guard about.st_mode & S_IFMT == S_IFDIR else {
            discard(name)
            return
        }
        removeFolder(name, ifUsable(name))
    }

    /// Removes the contents of an open folder, without following links, and then the folder by its
    /// name; another folder that has the name by now stays, unless it is empty.
    ///
    /// Files that can't be removed stay.
    public func removeFolder(_ name: String, _ inner: GuardedFolder?) {
        // The mark of a work folder is first by its name, and must be the last to go.
        for name in (inner?.listedNames ?? []).reversed() { inner?.removeTree(name) }
        _ = try? at(name) { folder, last in unlinkat(folder, last, AT_REMOVEDIR) }
    }

    /// Checks that nobody but this user and root can change the folder's contents.
    ///
    /// - Throws: ``GuardedFileError`` `notOwn`.
    public func checkOwner() throws(GuardedFileError) { try checkOwner(below: nil) }

    private func checkOwner(below parent: GuardedFolder?) throws(GuardedFileError) {
        var (above, about) = (stat(), stat())
        guard fstat(descriptor, &about) == 0 else { throw .system(errno, "look at", path) }
        if let parent, fstat(parent.descriptor, &above) != 0 {
            throw .system(errno, "look at", parent.path)
        }
        let owners = [geteuid(), 0] + (parent == nil ? [] : [above.st_uid])
        guard owners.contains(about.st_uid) else {
            let owner = userName(about.st_uid) ?? "number \(about.st_uid)"
            throw .notOwn(
                path,
                "'\(path)' belongs to the user \(owner), who can change what is in it. Move it away, or take it over with: sudo chown -R $USER \(shellWord(path))"
            )
        }
        let allowed = parent == nil ? 0 : above.st_mode & 0o022
        let group = isPrivateGroup(about.st_gid, of: about.st_uid) ? 0 : mode_t(0o020)
        guard about.st_mode & (group | 0o002) & ~allowed == 0 else {
            throw .notOwn(
                path,
                "Other users can change what is in '\(path)'. Forbid it with: chmod go-w \(shellWord(path))"
            )
        }
    }
}
