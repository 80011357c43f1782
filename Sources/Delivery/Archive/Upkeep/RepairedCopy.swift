import CSQLite
import Glibc
import GuardedFiles
import UserFiles

/// A copy of a damaged database with the beginning of a new archive.
///
/// A database's first page holds its header and the root of its schema, without which nothing else
/// can be found. In an archive that this version has made, the tables are at the same places as in
/// a new one.
struct RepairedCopy: ~Copyable {
    /// The copy.
    let path: String
    private static let pageSize = 4_096

    /// A hidden copy of the database at `damaged`, in a folder with room for it.
    ///
    /// - Throws: ``ArchiveError`` or ``DatabaseError``: when the disk refuses it.
    init(of damaged: String, in folder: String) throws {
        path = folder + "/.recovering.sqlite"
        do { try Self.make(path, of: damaged, with: folder + "/.fresh.sqlite") } catch {
            Self.remove(path)
            throw error
        }
    }

    deinit { Self.remove(path) }

    private static func make(_ path: String, of damaged: String, with fresh: String) throws {
        for place in [path, fresh] { remove(place) }
        defer { remove(fresh) }
        do {
            let connection = try Connection(path: fresh, .create, patience: 0)
            try Migrator().migrate(connection)
        }
        let file = try copyDamaged(damaged, to: path)
        defer { close(file) }
        var status = stat()
        var head = [UInt8](repeating: 0, count: pageSize)
        let start = open(fresh, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        defer { close(start) }
        guard start >= 0, pread(start, &head, head.count, 0) == head.count,
            fstat(file, &status) == 0
        else { throw ArchiveError.system(errno, "read", fresh) }
        // The database's length in pages (at 28), which is valid if two change counters (at 24 and
        // 92) are the same; no free pages (32 to 39).
        put(UInt32(clamping: Int(status.st_size) / pageSize), into: &head, at: 28)
        head.replaceSubrange(32..<40, with: [UInt8](repeating: 0, count: 8))
        head.replaceSubrange(92..<96, with: head[24..<28])
        let written = head.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        guard written == head.count else { throw ArchiveError.system(errno, "write", path) }
    }

    /// Copies the damaged database into a new file, which the caller closes.
    private static func copyDamaged(
        _ damaged: String, to path: String
    ) throws(ArchiveError) -> Int32 {
        let source = try guarded("read") { () throws(GuardedFileError) in
            try GuardedFolder(damaged.parent).open("archive.sqlite").descriptor
        }
        defer { close(source) }
        let file = try guarded("make") { () throws(GuardedFileError) in
            try GuardedFolder(path.parent).create(String(path.split(separator: "/").last ?? ""))
        }
        let failure = eachPiece(of: source) { writeAll($0, to: file) }
        guard failure == 0 else {
            close(file)
            throw .system(failure, "copy the damaged database to", path)
        }
        return file
    }

    private static func put(_ number: UInt32, into bytes: inout [UInt8], at offset: Int) {
        for index in 0..<4 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index))
        }
    }

    private static func remove(_ path: String) {
        for ending in ["", "-journal", "-wal", "-shm"] { unlink(path + ending) }
    }
}
