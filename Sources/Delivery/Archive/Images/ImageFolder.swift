import ExpectedFailures
import FileNames
import Glibc
import GuardedFiles
import Hashing
import UserFiles

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
    /// True if the folder belongs to an archive's folder; false if a setting names it, which may be
    /// by a link.
    private let isInArchive: Bool

    var place: String { folder }

    init(folder: String, disk: ImageDisk = ImageDisk(), isInArchive: Bool = false) {
        self.folder = folder
        self.disk = disk
        self.isInArchive = isInArchive
    }

    /// The open folder: others may have put links and pipes into it, as in a foreign archive.
    func root() throws(GuardedFileError) -> GuardedFolder {
        guard isInArchive else { return try GuardedFolder(folder) }
        return try GuardedFolder(folder.parent)
            .folder(String(folder.split(separator: "/").last ?? ""))
    }

    /// The file of an image.
    func path(of hash: ImageHash) -> String { folder + "/" + Self.name(of: hash) }

    /// The name of an image's file below the folder.
    private static func name(of hash: ImageHash) -> String {
        let name = hash.hexadecimal
        return "\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name)"
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
        let name = Self.name(of: hash)
        let root = try madeRoot()
        if root.hasFile(name), size(of: hash) == count { return }
        let parts = name.split(separator: "/").map(String.init)
        let (outer, inner) = try guarded("make the folder") { () throws(GuardedFileError) in
            let outer = try root.ownFolder(parts[0])
            return (outer, try outer.ownFolder(parts[1]))
        }
        let temporary = WorkName.new(for: parts[2])
        do throws(ArchiveError) {
            try make(temporary, in: root, for: inner.path(of: parts[2]), count, fill)
            // Another process was faster, and put the same bytes there.
            guard renameat(root.descriptor, temporary, inner.descriptor, parts[2]) == 0 else {
                throw ArchiveError.system(errno, "write", inner.path(of: parts[2]))
            }
        } catch {
            root.discard(temporary)
            throw error
        }
        // The folders on the path are synced after the file itself: on file systems with one
        // journal, folders that were made for it are on the disk with its bytes by now, and syncing
        // theirs costs next to nothing.
        for folder in [inner] + (outer.isNew ? [outer, root] : inner.isNew ? [outer] : []) {
            try sync(folder)
        }
    }

    /// The open folder, which is made if it is missing.
    private func madeRoot() throws(ArchiveError) -> GuardedFolder {
        do throws(GuardedFileError) { return try root() } catch {
            guard error.code == .missing else { throw ArchiveError(error, "open the folder") }
        }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system(errno, "make the folder", folder)
        }
        try syncFolder(folder.parent, with: disk.sync)
        return try guarded("open the folder", root)
    }

    private func sync(_ folder: GuardedFolder) throws(ArchiveError) {
        // Some network file systems cannot sync a folder, and have nothing to make durable there.
        guard disk.sync(folder.descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw .system(errno, "sync", folder.path)
        }
    }

    /// Writes all bytes at a file's end; returns an error number, 0 for none.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int32 {
        writeAll(bytes) { rest, _ in disk.write(file, rest) }
    }

    private func make(
        _ temporary: String, in root: GuardedFolder, for path: String, _ count: Int,
        _ fill: (Int32) -> Int32
    ) throws(ArchiveError) {
        let file: Int32
        do throws(GuardedFileError) { file = try root.create(temporary) } catch {
            throw .system(error.number, "write", path, needed: count)
        }
        var failure = fill(file)
        if failure == 0, disk.sync(file) != 0 { failure = errno }
        if close(file) != 0, failure == 0 { failure = errno }
        guard failure == 0 else { throw .system(failure, "write", path, needed: count) }
    }

    func read(_ hash: ImageHash) throws(ArchiveError) -> [UInt8] {
        let bytes = try readFile(hash)
        guard ImageHash(of: bytes) == hash else { throw Self.damaged(path(of: hash)) }
        return bytes
    }

    func fault(of hash: ImageHash) -> String? {
        do throws(ArchiveError) {
            let (file, _) = try openFile(hash)
            defer { close(file) }
            try check(file, is: hash, path(of: hash))
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
        let (file, status) = try openFile(hash)
        let state = FileState(status)
        if !sound.holds(hash, state) {
            do throws(ArchiveError) {
                try check(file, is: hash, path(of: hash))
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
        asHint { try root() }?.file(Self.name(of: hash)).map { Int($0.st_size) }
    }

    private func readFile(_ hash: ImageHash) throws(ArchiveError) -> [UInt8] {
        let (file, status) = try openFile(hash)
        defer { close(file) }
        // A large file takes memory only if its hash is its name.
        if status.st_size > Self.manyBytes { try check(file, is: hash, path(of: hash)) }
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
        guard failure == 0 else { throw .system(failure, "read", path(of: hash)) }
        return bytes
    }

    private func openFile(_ hash: ImageHash) throws(ArchiveError) -> (Int32, stat) {
        let path = path(of: hash)
        let opened: (descriptor: Int32, status: stat)
        do throws(GuardedFileError) { opened = try root().open(Self.name(of: hash)) } catch {
            let reason = String(cString: strerror(error.number))
            throw ArchiveError(
                .damaged,
                error.code == .wrongKind
                    ? "\(error.message) Then restore the image '\(path)' from a backup."
                    : "The image '\(path)' can't be read: \(reason). Put it back from a backup.")
        }
        guard opened.status.st_size <= Self.mostBytes else {
            close(opened.descriptor)
            throw ArchiveError(
                .damaged,
                "The image '\(path)' is damaged: it has \(readable(Int(opened.status.st_size))), and none has more than \(readable(Self.mostBytes)). Put it back from a backup."
            )
        }
        return (opened.descriptor, opened.status)
    }

    /// The maximum size of a file, 4 GiB: one with holes may claim more than any disk has.
    private static let mostBytes = 4 << 30
    /// The maximum number of bytes that are read before they are compared with their name.
    private static let manyBytes = 64 << 20
}

/// The calls that the store uses to change a disk, so that tests can make any of them fail.
struct ImageDisk: Sendable {
    /// `write(2)`.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int = { file, bytes in
        Glibc.write(file, bytes.baseAddress, bytes.count)
    }
    /// `fsync(2)`.
    var sync: @Sendable (Int32) -> Int32 = { fsync($0) }
}
