import FileNames
public import Glibc

/// A folder in which others may have put anything under any name: links, pipes, devices, folders.
///
/// Names are found relative to the open folder, and no link is followed on the way to them. So
/// nothing outside the folder is read or changed, even when someone moves things around meanwhile.
/// Nothing waits: a pipe is not opened for its bytes.
///
///     let folder = try GuardedFolder("/srv/scans")
///     let bytes = try folder.read("letter.txt", atMost: 1 << 20)
///
/// A name may lead through folders, as in `ab/cd/picture`. It must not contain `.` or `..`.
public final class GuardedFolder: Sendable {
    /// The folder's path, for messages.
    public let path: String
    /// The open folder, for `openat(2)` and its like; closed with this value.
    public let descriptor: Int32
    /// True if ``ownFolder(_:mode:checksOwner:)`` has just made it.
    public let isNew: Bool

    /// Opens a folder that a person or a setting has named: links on the way to it are followed.
    ///
    /// - Throws: ``GuardedFileError``.
    public init(_ path: String) throws(GuardedFileError) {
        let opened = retryingInterrupts { Glibc.open(path, Self.folderFlags) }
        guard opened >= 0 else { throw .system(errno, "open the folder", path) }
        self.path = path
        descriptor = opened
        isNew = false
    }

    /// Opens a folder once more that is open already.
    ///
    /// - Parameter path: its path, for messages.
    /// - Throws: ``GuardedFileError``.
    public init(open folder: Int32, path: String) throws(GuardedFileError) {
        let opened = retryingInterrupts { openat(folder, ".", Self.folderFlags) }
        guard opened >= 0 else { throw .system(errno, "open the folder", path) }
        self.path = path
        descriptor = opened
        isNew = false
    }

    private init(path: String, descriptor: Int32, isNew: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.isNew = isNew
    }

    deinit { close(descriptor) }

    /// `O_PATH`, which Swift does not see: a folder that is only passed needs no right to read it.
    private static let passing: Int32 = 0o10_000_000

    static let folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK

    /// A path that leads to the open folder in this process, wherever it is moved; valid as long as
    /// this value exists.
    public var openPath: String { "/proc/self/fd/\(descriptor)" }

    /// The path of something in the folder, for messages and for other programs.
    public func path(of name: String) -> String { path + "/" + name }

    /// Opens a folder inside.
    ///
    /// - Throws: ``GuardedFileError``: `wrongKind` for a link, a file or anything else.
    public func folder(_ name: String) throws(GuardedFileError) -> GuardedFolder {
        try folder(name, isNew: false)
    }

    func folder(_ name: String, isNew: Bool) throws(GuardedFileError) -> GuardedFolder {
        try at(name) { folder, last throws(GuardedFileError) in
            let opened = retryingInterrupts {
                openat(folder, last, Self.folderFlags | O_NOFOLLOW)
            }
            guard opened >= 0 else { throw failure(errno, "open the folder", name) }
            return GuardedFolder(path: path(of: name), descriptor: opened, isNew: isNew)
        }
    }

    /// The names in the folder, sorted by their bytes; without `.` and `..`.
    ///
    /// - Throws: ``GuardedFileError``.
    public func names() throws(GuardedFileError) -> [String] {
        let copy = retryingInterrupts { openat(descriptor, ".", Self.folderFlags) }
        guard copy >= 0, let stream = fdopendir(copy) else {
            throw .system(errno, "read the folder", path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256, FileNames.text(cString:))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .system(errno, "read the folder", path) }
        return names.sorted()
    }

    /// The file under a name, without following a link; nil for none.
    ///
    /// - Throws: ``GuardedFileError``.
    public func status(_ name: String) throws(GuardedFileError) -> stat? {
        var about = stat()
        do throws(GuardedFileError) {
            return try at(name) { folder, last throws(GuardedFileError) in
                if fstatat(folder, last, &about, AT_SYMLINK_NOFOLLOW) == 0 { return about }
                throw .system(errno, "look at", path(of: name))
            }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
    }

    /// True if nothing has this name, not even a link that leads nowhere.
    public func isFree(_ name: String) -> Bool {
        do { return try status(name) == nil } catch { return false }
    }

    /// True if a regular file has this name.
    public func hasFile(_ name: String) -> Bool {
        file(name) != nil
    }

    /// Makes names in the folder durable.
    ///
    /// - Throws: ``GuardedFileError``.
    public func sync() throws(GuardedFileError) {
        guard retryingInterrupts({ fsync(descriptor) }) != 0 else { return }
        // Some network file systems can't sync a folder, and have nothing to make durable there.
        if errno == EINVAL || errno == ENOTSUP || errno == EROFS { return }
        throw .system(errno, "sync the folder", path)
    }

    /// Calls `body` with the open folder above a name, and the last part of the name.
    func at<Value>(
        _ name: String, _ body: (Int32, String) throws(GuardedFileError) -> Value
    ) throws(GuardedFileError) -> Value {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
            throw .system(EINVAL, "use the name", path(of: name))
        }
        var folder = descriptor
        defer { if folder != descriptor { close(folder) } }
        var passed: [String] = []
        for part in parts.dropLast() {
            passed.append(part)
            let next = retryingInterrupts {
                openat(folder, part, Self.passing | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            }
            guard next >= 0 else {
                throw failure(errno, "open the folder", passed.joined(separator: "/"), in: folder)
            }
            if folder != descriptor { close(folder) }
            folder = next
        }
        return try body(folder, parts[parts.count - 1])
    }

    /// The error for a failed call on a name: the existing file is often the reason.
    func failure(
        _ number: Int32, _ verb: String, _ name: String, in folder: Int32? = nil
    ) -> GuardedFileError {
        var about = stat()
        let last = name.split(separator: "/").last.map(String.init) ?? name
        let isKnown =
            if let folder {
                fstatat(folder, last, &about, AT_SYMLINK_NOFOLLOW) == 0
            } else { entry(name).map { about = $0 } != nil }
        let wanted = verb.hasSuffix("the folder") ? S_IFDIR : S_IFREG
        if isKnown, about.st_mode & S_IFMT != wanted,
            [ELOOP, ENOTDIR, EISDIR, ENXIO, ENODEV, EINVAL, EMLINK].contains(number)
        {
            return .wrongKind(about, path(of: name), wanted: wanted)
        }
        return .system(number, verb, path(of: name))
    }
}

/// Repeats a system call that a signal interrupted.
package func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
