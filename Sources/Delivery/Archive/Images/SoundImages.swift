import Glibc
import Synchronization

/// The values that identify a file's state: a write changes at least one of them.
struct FileState: Hashable {
    private let inode: UInt
    private let size: Int
    private let changed: [Int]

    init(_ status: stat) {
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        changed = [
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
            status.st_ctim.tv_nsec,
        ]
    }
}

/// The images whose files were found to match their names, so that a picture that is shown often is
/// not hashed each time.
final class SoundImages: Sendable {
    /// The maximum number of images to remember; each takes two hundred bytes.
    private static let most = 20_000

    private let known = Mutex<[ImageHash: FileState]>([:])

    /// True if the file was found sound as it is now.
    func holds(_ image: ImageHash, _ state: FileState) -> Bool {
        known.withLock { $0[image] == state }
    }

    /// Notes that the present file is sound.
    func note(_ image: ImageHash, _ state: FileState) {
        known.withLock { known in
            if known.count >= Self.most { known = [:] }
            known[image] = state
        }
    }
}
