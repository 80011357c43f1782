import CPosix
import Glibc

/// The calls that the sinks use to change a disk, so that tests can make any of them fail.
///
/// Each answers like the system call it stands for: negative on failure, with `errno` set.
struct Disk: Sendable {
    /// `pwrite(2)`.
    var write: @Sendable (Int32, UnsafeRawBufferPointer, Int) -> Int = { file, bytes, offset in
        pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
    }
    /// `fsync(2)`.
    var sync: @Sendable (Int32) -> Int32 = { fsync($0) }
    /// `openat(2)` with `O_CREAT | O_EXCL`, for reading and writing.
    var create: @Sendable (Int32, String) -> Int32 = { folder, name in
        openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    }
    /// `linkat(2)`, which never replaces an existing file.
    var link: @Sendable (Int32, String, String) -> Int32 = { folder, from, to in
        linkat(folder, from, folder, to, 0)
    }

    /// `linkat(2)` of a file anywhere into a folder: its path, the folder and its name there.
    var adopt: @Sendable (String, Int32, String) -> Int32 = { path, folder, name in
        linkat(AT_FDCWD, path, folder, name, 0)
    }

    /// `renameat2(2)` with `RENAME_EXCHANGE`: the two names exchange their files.
    var exchange: @Sendable (Int32, String, String) -> Int32 = { folder, one, other in
        cposix_exchange(folder, one, other)
    }

    /// `sync_file_range(2)` with `SYNC_FILE_RANGE_WRITE`: begins to write bytes from an offset on,
    /// and does not wait.
    var beginWriting: @Sendable (Int32, Int, Int) -> Int32 = { file, offset, count in
        cposix_begin_writing(file, off_t(offset), off_t(count))
    }

    /// The real disk.
    static let live = Disk()
}
