import FileNames
import Glibc

/// The files of a folder in natural order, and the files that are left out.
struct FolderListing {
    /// The depth down to which nested folders are followed.
    private static let maximumDepth = 64

    /// The files, each with its path below the folder.
    ///
    /// Unreadable entries, such as a socket or a dangling link, are included: reading them gives
    /// the reason.
    private(set) var files: [(path: FilePath, relative: [UInt8])] = []
    /// Hidden files and folders, and files that desktops leave behind, by their paths below the
    /// folder.
    private(set) var hidden: [[UInt8]] = []
    /// Folders that are not followed, and links to folders, by their paths below the folder.
    private(set) var folders: [[UInt8]] = []
    private let limit: Int

    /// Lists `folder`, and its subfolders if `recursive`; links to folders are never followed,
    /// because they may form a circle.
    init(_ folder: FilePath, recursive: Bool, limit: Int) throws(DecodeFault) {
        self.limit = limit
        try add(folder, prefix: [], recursive: recursive, depth: 0)
        files.sort { comesBeforeNaturally($0.relative, $1.relative) }
        hidden.sort { comesBeforeNaturally($0, $1) }
        folders.sort { comesBeforeNaturally($0, $1) }
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
        var followed: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
                Array(raw.prefix { $0 != 0 })
            }
            guard name != ascii("."), name != ascii("..") else { continue }
            guard files.count + hidden.count + folders.count < limit else {
                throw .tooLarge("more than \(limit) files", limit: "\(limit) files a folder")
            }
            if Self.isHidden(name) {
                hidden.append(prefix + name)
                continue
            }
            let path = folder.appending(name)
            var own = stat()
            guard path.withCString({ lstat($0, &own) }) == 0 else { continue }
            let follows = recursive && depth < Self.maximumDepth
            if own.st_mode & S_IFMT == S_IFDIR, follows {
                followed.append(name)
                continue
            }
            var target = stat()
            let isFolder =
                path.withCString { stat($0, &target) } == 0 && target.st_mode & S_IFMT == S_IFDIR
            if isFolder {
                folders.append(prefix + name)
            } else {
                files.append((path, prefix + name))
            }
        }
        for name in followed {
            do throws(DecodeFault) {
                try add(
                    folder.appending(name), prefix: prefix + name + [UInt8(ascii: "/")],
                    recursive: true, depth: depth + 1)
            } catch {
                // A folder that can't be read, or vanished, is listed as a file: reading it names
                // the reason.
                if case .tooLarge = error { throw error }
                files.append((folder.appending(name), prefix + name))
            }
        }
    }

    private static func isHidden(_ name: [UInt8]) -> Bool {
        name.first == UInt8(ascii: ".")
            || ["thumbs.db", "ehthumbs.db", "desktop.ini"].contains(
                String(decoding: name, as: UTF8.self).lowercased())
    }
}
