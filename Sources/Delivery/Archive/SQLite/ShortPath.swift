import Glibc

/// A path that is short enough for SQLite, which refuses more than 512 bytes: a long one begins at
/// its folder, which is held open.
final class ShortPath: Sendable {
    /// The path, valid as long as this value exists.
    let text: String
    private let folder: Int32
    /// The maximum length in bytes of a path that is left as it is, with room for SQLite's
    /// files.
    private static let longest = 450

    /// True if the path differs from the given one.
    var isShortened: Bool { folder >= 0 }

    init(_ path: String) {
        let folder =
            path.utf8.count > Self.longest
            ? open(path.parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        self.folder = folder
        text =
            folder < 0
            ? path
            : "/proc/self/fd/\(folder)/" + (path.split(separator: "/").last.map(String.init) ?? "")
    }

    deinit { if folder >= 0 { close(folder) } }
}
