import ExpectedFailures
import FoundationEssentials
import Glibc

/// The files of a backend under development, and whether one of them has changed.
struct BackendSources {
    /// The modification time and the length of a file.
    private struct Stamp: Hashable {
        var seconds: Int
        var nanoseconds: Int
        var size: Int
        var number: UInt64
    }

    /// The path of the backend's folder.
    let folder: String
    /// The path of the backend's program, which may be in an ignored folder, such as a build's.
    var program: String?
    private var stamps: [String: Stamp] = [:]

    /// The maximum number of files, and their maximum depth: a folder with a user's whole disk was
    /// named by mistake.
    private static let limits = (files: 5_000, depth: 6)
    /// Folders that programs write to while they run or are built.
    private static let ignored: Set = ["__pycache__", "node_modules", "target"]
    private static let endings = ["~", ".swp", ".pyc", ".o", ".log", ".xml"]

    /// The files of a folder, which count as known.
    init(_ folder: String) {
        self.folder = folder
        stamps = look().stamps
    }

    /// The folders whose changes matter.
    var folders: [String] {
        let own = look().folders
        guard let program, let slash = program.lastIndex(of: "/") else { return own }
        return Array(Set(own + [String(program[..<slash])]))
    }

    /// The paths that were added, removed or changed since the last call.
    mutating func changes() -> [String] {
        let now = look().stamps
        defer { stamps = now }
        return Set(now.keys).union(stamps.keys).filter { now[$0] != stamps[$0] }.sorted()
    }

    private func look() -> (folders: [String], stamps: [String: Stamp]) {
        var folders: [String] = []
        var stamps: [String: Stamp] = [:]
        var open = [(path: folder, depth: 0)]
        while let (path, depth) = open.popLast() {
            folders.append(path)
            let names =
                ifSupported { try FileManager.default.contentsOfDirectory(atPath: path) } ?? []
            for name in names where !Self.isIgnored(name) {
                guard stamps.count < Self.limits.files else { break }
                let file = path + "/" + name
                var about = stat()
                guard lstat(file, &about) == 0 else { continue }
                if about.st_mode & S_IFMT == S_IFDIR {
                    if depth < Self.limits.depth { open.append((file, depth + 1)) }
                } else {
                    stamps[file] = Self.stamp(of: file)
                }
            }
        }
        if let program { stamps[program] = Self.stamp(of: program) }
        return (folders, stamps)
    }

    private static func isIgnored(_ name: String) -> Bool {
        name.hasPrefix(".") || ignored.contains(name) || endings.contains { name.hasSuffix($0) }
    }

    private static func stamp(of file: String) -> Stamp? {
        var about = stat()
        guard stat(file, &about) == 0 else { return nil }
        return Stamp(
            seconds: about.st_mtim.tv_sec, nanoseconds: about.st_mtim.tv_nsec,
            size: Int(about.st_size), number: UInt64(about.st_ino))
    }
}
