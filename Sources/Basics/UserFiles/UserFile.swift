import FoundationEssentials
import Glibc

/// A small file that several processes read and change: settings, or secrets that only its owner
/// may read.
///
/// Other processes wait while one reads, changes and writes the file, so no change is lost. A
/// reader always gets all of the old file or all of the new one, even after a power cut. Only on a
/// full disk are contents that are not longer written over the old ones. A file that is a symbolic
/// link stays one: its target is changed, so that settings may be in another folder.
public struct UserFile: Sendable {
    /// The file's path.
    public let path: String
    /// The kind of secrets in the file, for messages, such as "passwords"; nil for settings.
    private let secret: String?
    private let lockName: String?

    /// The maximum number of bytes to read: 16 MiB.
    private static let sizeLimit = 16 << 20

    /// A file at an absolute path, whether it exists or not.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - secret: the kind of secrets in the file, for messages, such as "passwords"; nil for
    ///     settings.
    ///   - lock: the name of the lock file in the same folder; by default a name for only this
    ///     file.
    public init(path: String, secret: String? = nil, lock: String? = nil) {
        self.path = path
        self.secret = secret
        lockName = lock
    }

    /// The file's contents; nil when the file does not exist.
    ///
    /// - Throws: ``UserFileError``: `untrusted` when another user can change the file, or read a
    ///   secret.
    public func read() throws(UserFileError) -> [UInt8]? { try read(try ResolvedPath(to: whole)) }

    /// Checks that no other user can change the file, whether it exists or not.
    ///
    /// - Throws: ``UserFileError`` `untrusted`.
    public func checkTrust() throws(UserFileError) {
        let way = try ResolvedPath(to: whole)
        try trust.check(way)
        var about = stat()
        if stat(way.target, &about) == 0 { try trust.check(about, way.target, secret: secret) }
    }

    /// Changes the file's contents, while no other process can.
    ///
    /// - Parameter body: gets the file's contents, nil when it does not exist, and leaves the new
    ///   contents. It must not change this file in another way, or wait for a process that might.
    /// - Throws: ``UserFileError``, and the errors of `body`; the file is unchanged then.
    public func change<Value>(_ body: (inout [UInt8]?) throws -> Value) throws -> Value {
        var way = try ResolvedPath(to: whole)
        try makeFolders(way.folder)
        way = try ResolvedPath(to: whole)
        try trust.check(way)
        let name = lastName(of: way.target)
        let folder = open(way.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw UserFileError.failed("be changed", path) }
        defer { close(folder) }
        let lock = try FileLock(lockName ?? ".\(name).lock", in: folder, path: path)
        defer { withExtendedLifetime(lock) {} }
        let before = try read(way)
        var after = before
        let value = try body(&after)
        if let after, after != before {
            do throws(UserFileError) { try write(after, name, in: folder) } catch {
                // A full disk has no room for a second file, but tokens are removed there, too.
                guard error.code == .noSpace, let before, after.count <= before.count,
                    overwrite(after, name, in: folder)
                else { throw error }
            }
        }
        if after == nil, before != nil, unlinkat(folder, name, 0) != 0 {
            throw UserFileError.failed("be removed", path)
        }
        if after != before { try sync(folder) }
        return value
    }

    private var trust: TrustCheck {
        TrustCheck(home: UserFolders(environment: ProcessInfo.processInfo.environment).knownHome)
    }

    /// The file's path from the root.
    private var whole: String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private func read(_ way: ResolvedPath) throws(UserFileError) -> [UInt8]? {
        let file = retryingInterrupts {
            open(way.target, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        }
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .failed("be read", path)
        }
        defer { close(file) }
        var about = stat()
        guard fstat(file, &about) == 0 else { throw .failed("be read", path) }
        guard about.st_mode & S_IFMT == S_IFREG, about.st_size <= Self.sizeLimit else {
            throw UserFileError(
                .inputOutput,
                "'\(path)' is not a plain file of at most \(Self.sizeLimit >> 20) MiB. Move it away."
            )
        }
        try trust.check(way)
        try trust.check(about, way.target, secret: secret)
        return try contents(of: file)
    }

    private func contents(of file: Int32) throws(UserFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = retryingInterrupts { Glibc.read(file, &part, part.count) }
            guard count >= 0 else { throw .failed("be read", path) }
            if count == 0 { return bytes }
            bytes += part[..<count]
            guard bytes.count <= Self.sizeLimit else {
                throw UserFileError(.inputOutput, "'\(path)' grew while it was read. Try again.")
            }
        }
    }

    /// Writes a new file and gives it the name of the old one; the caller has the lock.
    private func write(_ bytes: [UInt8], _ name: String, in folder: Int32) throws(UserFileError) {
        // The name is always the same, so that the next writer removes the file of a killed one.
        let temporary = ".\(name).part"
        unlinkat(folder, temporary, 0)
        let file = retryingInterrupts {
            openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard file >= 0 else { throw .failed("be written", path, needed: bytes.count) }
        defer { close(file) }
        var about = stat()
        if secret == nil, fstatat(folder, name, &about, 0) == 0 {
            fchmod(file, about.st_mode & 0o777)
        }
        guard bytes.withUnsafeBytes({ writeAll($0, to: file) }) == 0,
            retryingInterrupts({ fsync(file) }) == 0,
            renameat(folder, temporary, folder, name) == 0
        else {
            let error = UserFileError.failed("be written", path, needed: bytes.count)
            unlinkat(folder, temporary, 0)
            throw error
        }
    }

    /// Writes over the old contents, which are not shorter; returns false if that fails.
    ///
    /// A reader at that moment, or after a power cut, may find a part of each.
    private func overwrite(_ bytes: [UInt8], _ name: String, in folder: Int32) -> Bool {
        let file = retryingInterrupts {
            openat(folder, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        }
        guard file >= 0 else { return false }
        defer { close(file) }
        return bytes.withUnsafeBytes { writeAll($0, to: file) } == 0
            && ftruncate(file, off_t(bytes.count)) == 0
            && retryingInterrupts({ fsync(file) }) == 0
    }

    private func sync(_ folder: Int32) throws(UserFileError) {
        guard retryingInterrupts({ fsync(folder) }) != 0 else { return }
        // Some network and FUSE file systems can't sync a folder, and need not.
        if errno == EINVAL || errno == ENOTSUP || errno == EROFS { return }
        throw .failed("be written", path)
    }

    /// Makes the folders above the file; only this user may enter them.
    private func makeFolders(_ folder: String) throws(UserFileError) {
        if access(folder, F_OK) == 0 || folder == "/" { return }
        try makeFolders(parent(of: folder))
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .failed("be created", folder)
        }
    }
}
