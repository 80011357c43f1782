import Glibc

/// A path that is short enough for SQLite, which refuses more than 512 bytes: a long one begins at
/// its folder, which is held open.
///
/// A path below an open folder of this process stays one: resolving its links would give the
/// folder's name, which may lead elsewhere by then.
final class ShortPath: Sendable {
    /// The path, valid as long as this value exists.
    let text: String
    private let folder: Int32
    /// The maximum length in bytes of a path that is left as it is, with room for SQLite's
    /// files.
    private static let longest = 450

    /// True if the path leads through an open folder, and its links must not be resolved.
    let isOpen: Bool

    init(_ path: String) {
        let folder =
            path.utf8.count > Self.longest
            ? open(path.parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        self.folder = folder
        isOpen = folder >= 0 || path.hasPrefix("/proc/self/fd/")
        text =
            folder < 0
            ? path
            : "/proc/self/fd/\(folder)/" + (path.split(separator: "/").last.map(String.init) ?? "")
    }

    deinit { if folder >= 0 { close(folder) } }
}
