public import Glibc
import UserFiles

/// Folders and files by their paths: links on the way are followed, but not one in their place.
extension GuardedFolder {
    /// Opens a folder that is not a link itself.
    ///
    /// - Throws: ``GuardedFileError``: `missing`, `wrongKind`, `system`.
    public static func folder(at path: String) throws(GuardedFileError) -> GuardedFolder {
        let (above, name) = try above(path)
        return try above.folder(name)
    }

    /// Opens a folder that a setting has named for this program's own files: nobody but this user
    /// and root may change its contents, or set the link that leads to it.
    ///
    /// - Returns: nil if there is none yet.
    /// - Throws: ``GuardedFileError``: `wrongKind`, `notOwn`, `system`.
    public static func own(_ path: String) throws(GuardedFileError) -> GuardedFolder? {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let about = status(at: path) else { return nil }
        switch about.st_mode & S_IFMT {
        case S_IFDIR: break
        case S_IFLNK where [geteuid(), 0].contains(about.st_uid): break
        case S_IFLNK:
            let owner = userName(about.st_uid) ?? "number \(about.st_uid)"
            throw .notOwn(
                path, "'\(path)' is a link of the user \(owner). Set it yourself, or move it away.")
        default: throw .wrongKind(about, path, wanted: S_IFDIR)
        }
        let folder = try GuardedFolder(path)
        try folder.checkOwner()
        return folder
    }

    /// Opens a folder that a setting has named, which is made if it is missing, with the folders
    /// above it; only this user may enter new ones.
    ///
    /// - Throws: ``GuardedFileError``: `wrongKind`, `system`.
    public static func make(_ path: String) throws(GuardedFileError) -> GuardedFolder {
        do throws(GuardedFileError) { return try GuardedFolder(path) } catch {
            guard error.code == .missing else { throw error }
        }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            _ = try make(String(path[..<slash]))
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .system(errno, "make the folder", path)
        }
        return try GuardedFolder(path)
    }

    /// Opens a regular file by one system call; the caller closes the descriptor.
    ///
    /// The path may also be `/proc/self/fd/` and the number of an open file of this process.
    ///
    /// - Parameter access: `O_RDONLY` or `O_RDWR`.
    /// - Throws: ``GuardedFileError``: `missing`, `wrongKind`, `system`.
    public static func openFile(
        at path: String, _ access: Int32 = O_RDONLY
    ) throws(GuardedFileError) -> (descriptor: Int32, status: stat) {
        let own = "/proc/self/fd/"
        let isOwn = path.hasPrefix(own) && UInt32(path.dropFirst(own.count)) != nil
        let file = retryingInterrupts {
            Glibc.open(
                path, access | (isOwn ? 0 : O_NOFOLLOW) | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        }
        guard file >= 0 else {
            let number = errno
            if let about = status(at: path), about.st_mode & S_IFMT != S_IFREG {
                throw .wrongKind(about, path, wanted: S_IFREG)
            }
            throw .system(number, "open", path)
        }
        var about = stat()
        guard fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw .wrongKind(about, path, wanted: S_IFREG)
        }
        return (file, about)
    }

    /// The bytes of a file.
    ///
    /// - Parameter limit: its maximum size in bytes; 4 GiB unless given.
    /// - Throws: ``GuardedFileError``: `missing`, `wrongKind`, `tooLarge`, `system`.
    public static func readFile(
        at path: String, atMost limit: Int = 4 << 30
    ) throws(GuardedFileError) -> [UInt8] {
        let (folder, name) = try above(path)
        return try folder.read(name, atMost: limit)
    }

    /// The file at a path, without following a link there; nil for none.
    public static func status(at path: String) -> stat? {
        var about = stat()
        return lstat(path, &about) == 0 ? about : nil
    }

    /// Removes a file, or a link itself; does nothing if that fails.
    public static func removeFile(at path: String) { unlink(path) }

    /// Removes a file or a folder with its contents, without following links;
    /// files that can't be removed stay.
    public static func removeTree(at path: String) {
        guard let (folder, name) = try? above(path) else { return }
        folder.removeTree(name)
    }

    /// The folder of a path, and the name in it.
    ///
    /// - Throws: ``GuardedFileError``: `missing`, `system`.
    public static func above(
        _ path: String
    ) throws(GuardedFileError) -> (folder: GuardedFolder, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (try GuardedFolder("."), path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (try GuardedFolder(folder), String(path[path.index(after: slash)...]))
    }
}
