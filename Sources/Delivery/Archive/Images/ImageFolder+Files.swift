import FileNames
import Glibc
import GuardedFiles

extension ImageFolder {
    /// Calls `body` for no file if the folder does not exist, and only for files whose names the
    /// store itself makes: a database may name any folder of the machine as the images' place.
    func eachFile(
        _ body: (StoredImage) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let root: GuardedFolder
        do throws(GuardedFileError) { root = try self.root() } catch {
            if error.code == .missing { return }
            throw ArchiveError(error, "read the folder")
        }
        let now = try clock(in: root)
        for outer in try names(root) where Self.isFolder(outer) {
            guard let upper = root.ifUsable(outer) else { continue }
            for inner in try names(upper) where Self.isFolder(inner) {
                guard let place = upper.ifUsable(inner) else { continue }
                for name in try names(place) where Self.isFile(name) {
                    guard let status = place.file(name) else { continue }
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

    /// True for the name of a folder of the store: two hexadecimal digits.
    private static func isFolder(_ name: String) -> Bool {
        name.utf8.count == 2
            && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// True for the name of an image, and for that of a file that became none.
    private static func isFile(_ name: String) -> Bool {
        ImageHash(hexadecimal: name) != nil || name.hasPrefix(".") && name.hasSuffix(".partial")
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
                defer { root.discard(name) }
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
