import FileNames
import Glibc
import GuardedFiles

extension ImageFolder {
    /// Calls `body` for no file if the folder does not exist.
    func eachFile(
        _ body: (StoredImage) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let root: GuardedFolder
        do throws(GuardedFileError) { root = try self.root() } catch {
            if error.code == .missing { return }
            throw ArchiveError(error, "read the folder")
        }
        let now = try clock(in: root)
        for outer in try names(root) where outer.utf8.count == 2 {
            guard let upper = try? root.folder(outer) else { continue }
            for inner in try names(upper) where inner.utf8.count == 2 {
                guard let place = try? upper.folder(inner) else { continue }
                for name in try names(place) {
                    guard let status = try? place.status(name),
                        status.st_mode & S_IFMT == S_IFREG
                    else { continue }
                    let hash = ImageHash(hexadecimal: name)
                    let isInPlace = name.hasPrefix(outer + inner)
                    try body(
                        StoredImage(
                            name: place.path(of: name), hash: isInPlace ? hash : nil,
                            bytes: Int(status.st_size), age: now - Double(status.st_mtim.tv_sec)))
                }
            }
        }
    }

    func name(of hash: ImageHash) -> String { path(of: hash) }

    func remove(_ name: String) throws(ArchiveError) {
        let inside = String(name.utf8.dropFirst(folder.utf8.count + 1)) ?? ""
        do throws(GuardedFileError) { try root().remove(inside) } catch {
            if error.code != .missing { throw ArchiveError(error, "remove") }
        }
    }

    /// Seconds since 1970 by the clock that files get their times from, which may be another
    /// machine's.
    private func clock(in root: GuardedFolder) throws(ArchiveError) -> Double {
        guard access(folder, W_OK) == 0 else { return secondsNow() }
        let name = WorkName.new(for: "clock")
        do throws(ArchiveError) {
            let status = try guarded("write") { () throws(GuardedFileError) in
                try root.write([], new: name)
                defer { try? root.remove(name) }
                return try root.status(name)
            }
            return status.map { Double($0.st_mtim.tv_sec) } ?? secondsNow()
        } catch {
            // A full disk can still be read.
            guard error.code == .noSpace || error.code == .readOnly else { throw error }
            return secondsNow()
        }
    }

    private func names(_ folder: GuardedFolder) throws(ArchiveError) -> [String] {
        try guarded("read the folder", folder.names)
    }
}
