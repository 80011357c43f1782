import Glibc
import UserFiles

/// Space that an archive's folder keeps, so that documents can be deleted on a full disk.
///
/// Deleting writes to the database before it frees anything. A file keeps the space for that; it is
/// given up when the disk is full, and made again as soon as there is room. An empty second file
/// keeps room for one more file, since SQLite makes two.
struct SpaceReserve: Sendable {
    /// The file's path.
    let path: String
    /// The path of the second file.
    private var second: String { path + "2" }

    /// The maximum number of bytes to keep: enough to delete some hundred documents at once.
    private static let most = 8 << 20
    /// The share of a small disk that is kept.
    private static let share = 64
    /// Fewer bytes are of no use.
    private static let least = 256 << 10

    /// Makes the file if it is missing and the disk has plenty of room.
    func make() {
        guard isMissing, let disk = DiskState(of: path), !disk.isReadOnly else { return }
        let size = Self.size(on: disk)
        if disk.free / 4 >= size { reserve(size) }
    }

    /// Releases the space; returns whether there was any.
    func giveUp() -> Bool {
        unlink(second)
        return unlink(path) == 0
    }

    /// Reserves released space again, before something else uses it.
    func takeBack() {
        guard isMissing, let disk = DiskState(of: path), !disk.isReadOnly else { return }
        let size = min(Self.size(on: disk), disk.free)
        if size >= DatabaseError.leastRoom { reserve(size) }
    }

    /// True if the disk has so little room that deleting something should free it at once.
    var isNeeded: Bool {
        guard let disk = DiskState(of: path), !disk.isReadOnly else { return false }
        return disk.free / 4 < Self.size(on: disk)
    }

    private var isMissing: Bool {
        var status = stat()
        return lstat(path, &status) != 0
    }

    private static func size(on disk: DiskState) -> Int {
        min(most, max(least, disk.size / share))
    }

    private func create(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    /// Another process may make it at the same time; a failure does not matter.
    private func reserve(_ size: Int) {
        let file = create(path)
        guard file >= 0 else { return }
        defer { close(file) }
        if posix_fallocate(file, 0, off_t(size)) != 0 {
            unlink(path)
        } else {
            close(create(second))
        }
    }
}
