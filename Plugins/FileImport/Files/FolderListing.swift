import Glibc

/// The files of a folder in natural order, hidden ones left out.
struct FolderListing {
    /// The deepest that folders in folders are followed.
    private static let maximumDepth = 64

    /// The files, each with its path below the folder.
    private(set) var files: [(path: FilePath, relative: [UInt8])] = []
    private let limit: Int

    /// Lists `folder`; folders in it are followed only when `recursive` (links to folders never, they may form a circle).
    init(_ folder: FilePath, recursive: Bool, limit: Int) throws(DecodeFault) {
        self.limit = limit
        try add(folder, prefix: [], recursive: recursive, depth: 0)
        files.sort { comesBeforeNaturally($0.relative, $1.relative) }
    }

    private mutating func add(
        _ folder: FilePath, prefix: [UInt8], recursive: Bool, depth: Int
    ) throws(DecodeFault) {
        guard let stream = folder.withCString({ opendir($0) }) else {
            switch errno {
            case ENOENT, ENOTDIR: throw .missing
            case EACCES: throw .permissionDenied
            default: throw .inputOutput(systemMessage())
            }
        }
        defer { closedir(stream) }
        var folders: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                Array(raw.prefix { $0 != 0 })
            }
            guard let first = name.first, first != UInt8(ascii: ".") else { continue }
            let path = folder.appending(name)
            var own = stat()
            guard path.withCString({ lstat($0, &own) }) == 0 else { continue }
            if own.st_mode & S_IFMT == S_IFDIR {
                folders.append(name)
                continue
            }
            var target = stat()
            guard path.withCString({ stat($0, &target) }) == 0, target.st_mode & S_IFMT == S_IFREG
            else { continue }
            guard files.count < limit else {
                throw .tooLarge("more than \(limit) files", limit: "\(limit) files a folder")
            }
            files.append((path, prefix + name))
        }
        guard recursive, depth < Self.maximumDepth else { return }
        for name in folders {
            do throws(DecodeFault) {
                try add(
                    folder.appending(name), prefix: prefix + name + [UInt8(ascii: "/")],
                    recursive: true, depth: depth + 1)
            } catch {
                // A folder that can't be read, or vanished, is listed as a file: reading it names the reason.
                if case .tooLarge = error { throw error }
                files.append((folder.appending(name), prefix + name))
            }
        }
    }
}
