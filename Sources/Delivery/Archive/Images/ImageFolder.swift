import FileNames
import Glibc

/// The folder of image files, each named by the SHA-256 of its bytes, such as `images/ab/cd/abcd…`.
///
/// A file appears under its name complete and synced, or not at all; the same bytes are kept once.
/// Files are never changed.
///
/// As long as no transaction has named a file in the folder, the file's writer holds ``ImageLock``
/// shared; a process that removes files holds it exclusively. So a file is never removed between
/// its writing and its transaction, in any process.
struct ImageFolder: ImageStore {
    /// The folder `images`.
    let folder: String
    /// The calls that change the disk.
    private let disk: ImageDisk
    private let sound = SoundImages()

    var place: String { folder }

    init(folder: String, disk: ImageDisk = ImageDisk()) {
        self.folder = folder
        self.disk = disk
    }

    /// The file of an image.
    func path(of hash: ImageHash) -> String {
        let (parent, name) = place(of: hash)
        return parent + "/" + name
    }

    private func place(of hash: ImageHash) -> (parent: String, name: String) {
        let name = hash.hexadecimal
        return ("\(folder)/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))", name)
    }

    func add(_ bytes: [UInt8], as hash: ImageHash) throws(ArchiveError) {
        try add(hash, count: bytes.count) { file in
            bytes.withUnsafeBytes { write($0, to: file) }
        }
    }

    /// Puts a file under its hash, durably, unless the store has it already.
    ///
    /// - Parameter fill: writes all of its bytes; returns an error number, 0 for none.
    func add(
        _ hash: ImageHash, count: Int, _ fill: (Int32) -> Int32
    ) throws(ArchiveError) {
        let (parent, name) = place(of: hash)
        let path = parent + "/" + name
        var status = stat()
        if stat(path, &status) == 0, Int(status.st_size) == count { return }
        let changed = try makeFolder(parent)
        let temporary = "\(folder)/" + WorkName.new(for: name)
        do throws(ArchiveError) {
            try make(temporary, for: path, fill)
            // Another process was faster and has put the same bytes there.
            guard rename(temporary, path) == 0 else {
                throw ArchiveError.system(errno, "write", path)
            }
        } catch {
            unlink(temporary)
            throw error
        }
        // The folders on the path are synced after the file itself: on file systems with one
        // journal, folders that were made for it are on the disk with its bytes by now, and syncing
        // theirs costs next to nothing.
        for folder in [parent] + changed { try syncFolder(folder, with: disk.sync) }
    }

    /// Writes all bytes at a file's end; returns an error number, 0 for none.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let written = disk.write(file, rest)
            if written > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            } else if written == 0 || errno != EINTR {
                return written == 0 ? ENOSPC : errno
            }
        }
        return 0
    }

    private func make(
        _ temporary: String, for path: String, _ fill: (Int32) -> Int32
    ) throws(ArchiveError) {
        let file = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(errno, "write", path) }
        var failure = fill(file)
        if failure == 0, disk.sync(file) != 0 { failure = errno }
        if close(file) != 0, failure == 0 { failure = errno }
        guard failure == 0 else { throw .system(failure, "write", path) }
    }

    /// Makes the folder of a file, and those above it.
    ///
    /// - Returns: the folders that got a new entry, which must be synced, the innermost first.
    private func makeFolder(_ path: String) throws(ArchiveError) -> [String] {
        let parent = String(path.prefix(upTo: path.lastSlash))
        if mkdir(path, 0o700) == 0 { return [parent] }
        switch errno {
        case EEXIST: return []
        case ENOENT where path.utf8.count > folder.utf8.count && access(parent, F_OK) != 0:
            let above = try makeFolder(parent)
            return try makeFolder(path) + above
        default: throw .system(errno, "make the folder", path)
        }
    }

    func read(_ hash: ImageHash) throws(ArchiveError) -> [UInt8] {
        let path = path(of: hash)
        let bytes = try readFile(path)
        guard ImageHash(of: bytes) == hash else { throw Self.damaged(path) }
        return bytes
    }

    func fault(of hash: ImageHash) -> String? {
        do throws(ArchiveError) {
            let path = path(of: hash)
            let (file, _) = try openFile(path)
            defer { close(file) }
            try check(file, is: hash, path)
            return nil
        } catch { return error.message }
    }

    /// Compares a file with its name, with only one piece in memory at a time.
    private func check(_ file: Int32, is hash: ImageHash, _ path: String) throws(ArchiveError) {
        var hasher = SHA256()
        let failure = eachPiece(of: file) {
            hasher.update($0)
            return 0
        }
        guard failure == 0 else { throw .system(failure, "read", path) }
        guard hasher.digest() == hash.bytes else { throw Self.damaged(path) }
    }

    private static func damaged(_ path: String) -> ArchiveError {
        ArchiveError(
            .damaged,
            "The image '\(path)' is damaged: its SHA-256 is not its name. Put it back from a backup."
        )
    }

    func open(_ hash: ImageHash) throws(ArchiveError) -> (descriptor: Int32, count: Int) {
        let path = path(of: hash)
        let (file, status) = try openFile(path)
        let state = FileState(status)
        if !sound.holds(hash, state) {
            do throws(ArchiveError) {
                try check(file, is: hash, path)
            } catch {
                close(file)
                throw error
            }
            sound.note(hash, state)
        }
        return (file, Int(status.st_size))
    }

    func checkedPath(of hash: ImageHash) throws(ArchiveError) -> String {
        close(try open(hash).descriptor)
        return path(of: hash)
    }

    func size(of hash: ImageHash) -> Int? {
        var status = stat()
        return stat(path(of: hash), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            ? Int(status.st_size) : nil
    }

    private func readFile(_ path: String) throws(ArchiveError) -> [UInt8] {
        let (file, status) = try openFile(path)
        defer { close(file) }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            while count < buffer.count {
                let got = Glibc.read(file, buffer.baseAddress! + count, buffer.count - count)
                if got > 0 {
                    count += got
                } else if got == 0 || errno != EINTR {
                    failure = got == 0 ? 0 : errno
                    return
                }
            }
        }
        guard failure == 0 else { throw .system(failure, "read", path) }
        return bytes
    }

    private func openFile(_ path: String) throws(ArchiveError) -> (Int32, stat) {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            throw ArchiveError(
                .damaged,
                "The image '\(path)' can't be read: \(String(cString: strerror(errno))). Put it back from a backup."
            )
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw ArchiveError(
                .damaged, "The image '\(path)' is not a file. Put it back from a backup.")
        }
        return (file, status)
    }
}

/// The calls with which the store changes a disk, so that tests can make any of them fail.
struct ImageDisk: Sendable {
    /// `write(2)`.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int = { file, bytes in
        Glibc.write(file, bytes.baseAddress, bytes.count)
    }
    /// `fsync(2)`.
    var sync: @Sendable (Int32) -> Int32 = { fsync($0) }
}

extension String {
    /// The index of the last slash; the start when there is none.
    fileprivate var lastSlash: Index { utf8.lastIndex(of: UInt8(ascii: "/")) ?? startIndex }
}
