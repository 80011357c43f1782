import FileNames
import Glibc

extension ImageFolder {
    /// Calls `body` for no file if the folder does not exist.
    func eachFile(
        _ body: (StoredImage) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let now = try clock()
        for outer in try Self.names(in: folder) where outer.utf8.count == 2 {
            for inner in try Self.names(in: "\(folder)/\(outer)") where inner.utf8.count == 2 {
                let place = "\(folder)/\(outer)/\(inner)"
                for name in try Self.names(in: place) {
                    let path = place + "/" + name
                    var status = stat()
                    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                        continue
                    }
                    let hash = ImageHash(hexadecimal: name)
                    let isInPlace = name.hasPrefix(outer + inner)
                    try body(
                        StoredImage(
                            name: path, hash: isInPlace ? hash : nil, bytes: Int(status.st_size),
                            age: now - Double(status.st_mtim.tv_sec)))
                }
            }
        }
    }

    func name(of hash: ImageHash) -> String { path(of: hash) }

    func remove(_ name: String) throws(ArchiveError) {
        guard unlink(name) == 0 || errno == ENOENT else {
            throw .system(errno, "remove", name)
        }
    }

    /// Seconds since 1970 by the clock that files get their times from, which may be another
    /// machine's.
    private func clock() throws(ArchiveError) -> Double {
        guard access(folder, W_OK) == 0 else { return secondsNow() }
        let path = folder + "/" + WorkName.new(for: "clock")
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(errno, "write", path) }
        defer {
            unlink(path)
            close(file)
        }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(errno, "read", path) }
        return Double(status.st_mtim.tv_sec)
    }

    private static func names(in folder: String) throws(ArchiveError) -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw .system(errno, "read the folder", folder)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
