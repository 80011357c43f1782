import CPosix
import ExpectedFailures
import FileNames
import Glibc
import GuardedFiles

extension PartialFile {
    /// Uses a spooled picture's file, with a header before its pixels, so that the pixels are not
    /// written again.
    ///
    /// The file is given the owner, group and permissions that a file made here has. Then it only
    /// needs a second name in this folder, which requires the same file system.
    ///
    /// - Parameters:
    ///   - header: the header, which fills the file's room completely.
    ///   - pixels: the bytes that must follow.
    /// - Returns: false if the file can't be linked here, would differ from a new one, or was
    ///   changed; the picture must then be written.
    func adopt(_ picture: SpooledPicture, header: [UInt8], pixels: Int) -> Bool {
        guard count == 0, header.count == picture.room else { return false }
        let source = retryingInterrupts {
            open(picture.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        }
        guard source >= 0 else { return false }
        guard let name = prepared(source, picture, header: header, pixels: pixels) else {
            close(source)
            return false
        }
        flock(source, LOCK_SH | LOCK_NB)
        become(linked: name, source, count: header.count + pixels)
        return true
    }

    /// Makes the file of `source` like a new one of this folder and links it here; nil where this
    /// is impossible.
    private func prepared(
        _ source: Int32, _ picture: SpooledPicture, header: [UInt8], pixels: Int
    ) -> String? {
        var own = stat()
        var status = stat()
        // A file with a second name may have been delivered before, and belong to somebody.
        guard fstat(descriptor, &own) == 0, fstat(source, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            Int(status.st_size) == header.count + pixels,
            status.st_dev == own.st_dev, status.st_uid == own.st_uid
        else { return nil }
        if status.st_gid != own.st_gid, fchown(source, uid_t.max, own.st_gid) != 0 { return nil }
        // The permissions are set after owner and group, because a change of these may remove
        // permissions.
        if status.st_mode != own.st_mode, fchmod(source, own.st_mode & 0o7777) != 0 { return nil }
        // The mode of a file does not show the access lists and labels that files made here get.
        guard cposix_same_attributes(source, descriptor) == 1 else { return nil }
        let isWritten: Void? = header.withUnsafeBytes { bytes in
            reportedLater {
                try writeAll(bytes, at: 0, to: source, disk: folder.disk) {
                    DeliveryError.disk($0, "write", intendedName, in: folder.path)
                }
            }
        }
        // The spool recognizes its file by the modification time.
        let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        guard isWritten != nil, futimens(source, [unchanged, status.st_mtim]) == 0 else {
            return nil
        }
        return link(picture.path, as: status.st_ino)
    }

    /// Links the file at `path` under a temporary name here, if it has the number `inode`.
    private func link(_ path: String, as inode: ino_t) -> String? {
        let name = WorkName.new(for: intendedName)
        guard folder.disk.adopt(path, folder.descriptor, name) == 0 else { return nil }
        var linked = stat()
        if fstatat(folder.descriptor, name, &linked, AT_SYMLINK_NOFOLLOW) == 0,
            linked.st_ino == inode
        {
            return name
        }
        unlinkat(folder.descriptor, name, 0)
        return nil
    }
}
