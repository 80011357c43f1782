import Glibc

/// The kernel's path to a file: every folder in which it looks up a name, and every
/// symbolic link that it follows.
struct ResolvedPath {
    /// The absolute paths of the folders, the root first.
    private(set) var folders = ["/"]
    /// The paths of the symbolic links; the file's own link is one of them.
    private(set) var links: [String] = []
    /// The path of the file after all links; the file may be missing.
    private(set) var target = "/"

    /// The maximum number of links that Linux follows (path_resolution(7)).
    private static let mostLinks = 40

    /// The folders and links on the way to an absolute path.
    ///
    /// - Throws: ``UserFileError`` `inputOutput` when links lead in a circle.
    init(to path: String) throws(UserFileError) {
        var left = Self.names(path)
        var place: [String] = []
        while let name = left.popLast() {
            if name == ".." { _ = place.popLast() }
            if name == "." || name == ".." { continue }
            let here = "/" + (place + [name]).joined(separator: "/")
            if let goal = Self.goal(ofLink: here) {
                links.append(here)
                guard links.count <= Self.mostLinks else {
                    throw UserFileError(
                        .inputOutput,
                        "'\(path)' can't be opened: its symbolic links form a loop. Remove them."
                    )
                }
                if goal.hasPrefix("/") {
                    place = []
                    folders.append("/")
                }
                left += Self.names(goal)
                continue
            }
            place.append(name)
            if !left.isEmpty { folders.append(here) }
        }
        target = "/" + place.joined(separator: "/")
    }

    /// The folder that holds the file.
    var folder: String { parent(of: target) }

    /// The names in a path, in reverse order.
    private static func names(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init).reversed()
    }

    private static func goal(ofLink path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}

/// The folder above an absolute path.
func parent(of path: String) -> String {
    "/" + path.split(separator: "/").dropLast().joined(separator: "/")
}

/// The last name of a path.
func lastName(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
