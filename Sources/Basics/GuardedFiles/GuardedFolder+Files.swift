import FileNames
public import Glibc
import UserFiles

/// Files below the folder: only regular files are opened, and only new ones are made.
extension GuardedFolder {
    /// Opens a regular file; the caller closes the descriptor.
    ///
    /// - Parameter access: `O_RDONLY` or `O_RDWR`.
    /// - Throws: ``GuardedFileError``: `missing`, `wrongKind`, `system`.
    public func open(
        _ name: String, _ access: Int32 = O_RDONLY
    ) throws(GuardedFileError) -> (descriptor: Int32, status: stat) {
        try at(name) { folder, last throws(GuardedFileError) in
            // Without O_NONBLOCK, a pipe would wait for its other end.
            let file = retryingInterrupts {
                openat(folder, last, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            }
            guard file >= 0 else { throw failure(errno, "open", name, in: folder) }
            var about = stat()
            guard fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
                close(file)
                throw .wrongKind(about, path(of: name), wanted: S_IFREG)
            }
            return (file, about)
        }
    }

    /// The bytes of a file.
    ///
    /// - Parameter limit: the maximum size of a file in bytes.
    /// - Throws: ``GuardedFileError``: `missing`, `wrongKind`, `tooLarge`, `system`.
    public func read(_ name: String, atMost limit: Int) throws(GuardedFileError) -> [UInt8] {
        let (file, status) = try open(name)
        defer { close(file) }
        var bytes: [UInt8] = []
        // A file with holes may claim more bytes than any memory has.
        bytes.reserveCapacity(min(limit, Int(status.st_size), 1 << 20))
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = retryingInterrupts { Glibc.read(file, &part, part.count) }
            guard count >= 0 else { throw .system(errno, "read", path(of: name)) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit, Int(status.st_size) <= limit else {
                throw GuardedFileError(
                    code: .tooLarge, number: 0, path: path(of: name),
                    message: "'\(path(of: name))' has more than \(limit) bytes. Move it away.")
            }
            bytes += part[..<count]
        }
    }

    /// Makes a file that does not exist yet; the caller closes the descriptor.
    ///
    /// - Throws: ``GuardedFileError``: `system` with `EEXIST` for a name in use, even by a
    ///   link that leads nowhere.
    public func create(
        _ name: String, mode: mode_t = 0o600
    ) throws(GuardedFileError) -> Int32 {
        try at(name) { folder, last throws(GuardedFileError) in
            let file = retryingInterrupts {
                openat(folder, last, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            }
            guard file >= 0 else { throw .system(errno, "make", path(of: name)) }
            return file
        }
    }

    /// Opens a regular file for reading and writing, and makes an empty one if there is none; the
    /// caller closes the descriptor.
    ///
    /// - Throws: ``GuardedFileError``.
    public func openOrCreate(
        _ name: String, mode: mode_t = 0o600
    ) throws(GuardedFileError) -> Int32 {
        while true {
            do throws(GuardedFileError) { return try open(name, O_RDWR).descriptor } catch {
                if error.code != .missing { throw error }
            }
            do throws(GuardedFileError) { return try create(name, mode: mode) } catch {
                // Another process was faster.
                if error.number != EEXIST { throw error }
            }
        }
    }

    /// Makes a file with these bytes, or none: one that can't be written is removed again.
    ///
    /// - Parameter isDurable: true if the bytes are on the disk afterward.
    /// - Throws: ``GuardedFileError``: `system`, with `EEXIST` for a name in use.
    public func write(
        _ bytes: [UInt8], new name: String, mode: mode_t = 0o600, isDurable: Bool = false
    ) throws(GuardedFileError) {
        let file = try create(name, mode: mode)
        var failure = bytes.withUnsafeBytes { writeAll($0, to: file) }
        if failure == 0, isDurable, retryingInterrupts({ fsync(file) }) != 0 { failure = errno }
        if close(file) != 0, failure == 0 { failure = errno }
        guard failure != 0 else { return }
        discard(name)
        throw .system(failure, "write", path(of: name))
    }

    /// Makes a text file under the first of `name`, `name-2`, `name-3` … that is unused.
    ///
    /// - Throws: ``GuardedFileError``.
    public func write(
        _ text: String, unused name: String, mode: mode_t = 0o666
    ) throws(GuardedFileError) {
        _ = try firstUnused(name) { name throws(GuardedFileError) in
            try write(Array(text.utf8), new: name, mode: mode)
        }
    }

    /// Moves a regular file into a folder, under the first of `name`, `name-2`, `name-3` … that is
    /// unused; nothing is ever replaced.
    ///
    /// - Returns: its new name.
    /// - Throws: ``GuardedFileError``: `missing`, `wrongKind`, `system`.
    public func move(
        _ name: String, to goal: GuardedFolder, as wanted: String
    ) throws(GuardedFileError) -> String {
        guard let about = try status(name) else { throw .system(ENOENT, "move", path(of: name)) }
        guard about.st_mode & S_IFMT == S_IFREG else {
            throw .wrongKind(about, path(of: name), wanted: S_IFREG)
        }
        return try at(name) { folder, last throws(GuardedFileError) in
            try firstUnused(wanted) { wanted throws(GuardedFileError) in
                // Making a link fails for a name in use, which a rename would replace.
                if linkat(folder, last, goal.descriptor, wanted, 0) == 0 {
                    guard unlinkat(folder, last, 0) == 0 else {
                        throw GuardedFileError.system(errno, "move", path(of: name))
                    }
                    return
                }
                let number = errno
                guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(number) else {
                    throw GuardedFileError.system(number, "make", goal.path(of: wanted))
                }
                // Some file systems have no links.
                guard try goal.status(wanted) == nil else {
                    throw GuardedFileError.system(EEXIST, "make", goal.path(of: wanted))
                }
                guard renameat(folder, last, goal.descriptor, wanted) == 0 else {
                    throw GuardedFileError.system(errno, "move", path(of: name))
                }
            }
        }
    }

    /// Gives a regular file a second name, or copies it where the file system or the file's owner
    /// does not allow that.
    ///
    /// - Throws: ``GuardedFileError``: `wrongKind`, `missing`, `system` with `EEXIST`.
    public func linkOrCopy(_ name: String, as other: String) throws(GuardedFileError) {
        let (file, status) = try open(name)
        defer { close(file) }
        let isLinked = try at(name) { folder, last throws(GuardedFileError) in
            try at(other) { goal, wanted throws(GuardedFileError) in
                linkat(folder, last, goal, wanted, 0) == 0
            }
        }
        if isLinked {
            // Another file may have got the name since it was opened.
            if try self.status(other)?.st_ino == status.st_ino { return }
            try remove(other)
            throw .system(ESTALE, "use", path(of: name))
        }
        let copy = try create(other)
        defer { close(copy) }
        let failure = eachPiece(of: file) { writeAll($0, to: copy) }
        guard failure != 0 else { return }
        discard(other)
        throw .system(failure, "copy", path(of: name))
    }

    /// Sets a file's time of change to now.
    ///
    /// - Throws: ``GuardedFileError``.
    public func touch(_ name: String) throws(GuardedFileError) {
        try at(name) { folder, last throws(GuardedFileError) in
            guard utimensat(folder, last, nil, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw .system(errno, "change", path(of: name))
            }
        }
    }

    /// Removes a file, or a link itself; a missing name is no failure.
    ///
    /// - Throws: ``GuardedFileError``.
    public func remove(_ name: String) throws(GuardedFileError) {
        do throws(GuardedFileError) {
            try at(name) { folder, last throws(GuardedFileError) in
                if unlinkat(folder, last, 0) != 0 { throw .system(errno, "remove", path(of: name)) }
            }
        } catch {
            if error.code != .missing { throw error }
        }
    }

    private func firstUnused(
        _ name: String, _ body: (String) throws(GuardedFileError) -> Void
    ) throws(GuardedFileError) -> String {
        for number in 1...10_000 {
            let next = Self.numbered(name, number)
            do throws(GuardedFileError) {
                try body(next)
                return next
            } catch {
                if error.number != EEXIST { throw error }
            }
        }
        throw .system(EEXIST, "make", path(of: name))
    }

    /// `name` for 1, else `name-2` and so on before its ending, with so much of the name that the
    /// file system takes it.
    static func numbered(_ name: String, _ number: Int) -> String {
        let longest = 255
        var ending = name.dropFirst().lastIndex(of: ".").map { String(name[$0...]) } ?? ""
        if FileNames.length(ending) > longest / 2 { ending = "" }
        let end = (number == 1 ? "" : "-\(number)") + ending
        var stem = String.UnicodeScalarView(
            name.unicodeScalars.dropLast(ending.unicodeScalars.count))
        while FileNames.length(String(stem) + end) > longest, !stem.isEmpty { stem.removeLast() }
        return String(stem) + end
    }
}
