import FileNames
import Glibc
import GuardedFiles

/// Finds temporary folders whose process has ended, and deletes them.
enum OrphanSearch {
    /// Deletes the orphans in a folder that others may write to.
    static func run(in parent: String) {
        // A folder for temporary files may be a link.
        guard let place = try? GuardedFolder(parent) else { return }
        for name in place.listedNames where name.hasPrefix(TemporaryFolder.prefix) {
            guard let folder = ownFolder(name, in: place) else { continue }
            guard let marker = try? folder.open(TemporaryFolder.markerName, O_RDWR).descriptor
            else {
                // A process was killed between the folder and its marker. Only an empty folder can
                // be deleted this way.
                if folder.isFree(TemporaryFolder.markerName) { place.removeEmptyFolder(name) }
                continue
            }
            defer { close(marker) }
            guard isMarker(marker), flock(marker, LOCK_EX | LOCK_NB) == 0 else { continue }
            remove(folder, name, in: place)
            flock(marker, LOCK_UN)
        }
    }

    /// Deletes the folder with that name if its marker is the open one.
    static func remove(_ name: String, in parent: String, expecting marker: CInt) {
        var opened = stat()
        guard let place = try? GuardedFolder(parent), let folder = ownFolder(name, in: place),
            let named = folder.entry(TemporaryFolder.markerName),
            fstat(marker, &opened) == 0, named.st_ino == opened.st_ino,
            named.st_dev == opened.st_dev
        else { return }
        remove(folder, name, in: place)
    }

    /// Deletes the marker last, so that a killed process leaves an orphan again.
    private static func remove(_ folder: GuardedFolder, _ name: String, in place: GuardedFolder) {
        for inner in folder.listedNames where inner != TemporaryFolder.markerName {
            folder.removeTree(inner)
        }
        folder.removeTree(TemporaryFolder.markerName)
        place.removeEmptyFolder(name)
    }

    /// The folder with that name, if it is this user's and closed to others.
    private static func ownFolder(_ name: String, in place: GuardedFolder) -> GuardedFolder? {
        var about = stat()
        guard let folder = place.ifUsable(name), fstat(folder.descriptor, &about) == 0,
            about.st_uid == geteuid(), about.st_mode & 0o077 == 0
        else { return nil }
        return folder
    }

    /// True for a file of this user that has a marker's first words, or none yet.
    private static func isMarker(_ marker: CInt) -> Bool {
        var about = stat()
        guard fstat(marker, &about) == 0, about.st_uid == geteuid(), about.st_nlink == 1
        else { return false }
        if about.st_size == 0 { return true }
        let head = Array(TemporaryFolder.markerHead.utf8)
        var bytes = [UInt8](repeating: 0, count: head.count)
        return pread(marker, &bytes, bytes.count, 0) == bytes.count && bytes == head
    }
}
