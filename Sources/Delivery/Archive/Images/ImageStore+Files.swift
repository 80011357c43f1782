import Glibc

extension ImageStore {
    /// A file in the images' folder.
    struct File: Hashable {
        let path: String
        /// The hash in its name; nil for anything else, such as the remains of an interrupted
        /// addition.
        let hash: ImageHash?
    }

    /// Every file there is, in no particular order; none when the folder is not there.
    func files() throws(ArchiveError) -> [File] {
        var result: [File] = []
        for outer in try Self.names(in: folder) where outer.utf8.count == 2 {
            for inner in try Self.names(in: "\(folder)/\(outer)") where inner.utf8.count == 2 {
                let place = "\(folder)/\(outer)/\(inner)"
                for name in try Self.names(in: place) {
                    let hash = ImageHash(hexadecimal: name)
                    let isInPlace = name.hasPrefix(outer + inner)
                    result.append(File(path: place + "/" + name, hash: isInPlace ? hash : nil))
                }
            }
        }
        return result
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
