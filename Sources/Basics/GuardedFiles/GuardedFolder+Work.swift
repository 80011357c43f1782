import Glibc

/// Folders that are filled under a work name, and get their own name when they are complete.
///
/// A file marks them, so that nothing else with such a name is mistaken for one.
extension GuardedFolder {
    /// The name of the file that marks a work folder.
    private static let workMark = ".unfinished"

    /// Makes a subfolder that this program fills before it gets its name.
    ///
    /// It is locked as long as the value exists.
    ///
    /// - Throws: ``GuardedFileError``: `system`, with `EEXIST` for a name that is taken, and
    ///   `notOwn` if someone has put another folder there meanwhile.
    public func newWorkFolder(_ name: String) throws(GuardedFileError) -> GuardedFolder {
        guard mkdirat(descriptor, name, 0o700) == 0 else {
            throw .system(errno, "make the folder", path(of: name))
        }
        let made = try folder(name)
        // In a folder that was closed before it was found empty, nobody else can make anything.
        fchmod(made.descriptor, 0o700)
        flock(made.descriptor, LOCK_EX | LOCK_NB)
        var about = stat()
        guard try made.names().isEmpty, fstat(made.descriptor, &about) == 0 else {
            throw Self.replaced(made.path)
        }
        try made.write([], new: Self.workMark)
        // A server may decide who owns files, and then owns the folder, too.
        guard try made.status(Self.workMark)?.st_uid == about.st_uid else {
            try made.remove(Self.workMark)
            throw Self.replaced(made.path)
        }
        return made
    }

    /// Gives a finished work folder its name, replacing nothing but an empty folder.
    ///
    /// - Throws: ``GuardedFileError``: `system`, with `EEXIST` if another folder has the name, and
    ///   `notOwn` if someone has put another folder in its place.
    public func rename(
        work: GuardedFolder, _ name: String, as wanted: String
    ) throws(GuardedFileError) {
        try work.remove(Self.workMark)
        try work.sync()
        guard holds(work, as: name) else { throw Self.replaced(work.path) }
        guard try rename(folder: name, as: wanted) else {
            throw .system(EEXIST, "make the folder", path(of: wanted))
        }
    }

    /// True for a folder of this user that ``newWorkFolder(_:)`` has made and that is not finished.
    public var isWorkFolder: Bool {
        do throws(GuardedFileError) {
            try checkOwner()
            if hasFile(Self.workMark) { return true }
            return try names().isEmpty
        } catch { return false }
    }

    /// True if the folder with this name is still the open one.
    private func holds(_ folder: GuardedFolder, as name: String) -> Bool {
        var opened = stat()
        guard fstat(folder.descriptor, &opened) == 0, let named = try? status(name) else {
            return false
        }
        return named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
    }

    private static func replaced(_ path: String) -> GuardedFileError {
        .notOwn(path, "Someone has put another folder in the place of '\(path)'. Name another one.")
    }
}
