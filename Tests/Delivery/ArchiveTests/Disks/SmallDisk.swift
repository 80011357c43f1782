import Glibc
import Testing

@testable import Archive

/// A small file system in memory, with an archive that has documents.
final class SmallDisk {
    let folder: TestFolder
    let ids: [DocumentID]

    /// - Parameters:
    ///   - options: options of the mount.
    ///   - reserves: false to leave the archive without the space that it keeps for deletions.
    init(_ options: String, reserves: Bool = true) throws {
        folder = try TestFolder()
        try #require(mount("tmpfs", folder.path, "tmpfs", 0, options) == 0)
        let archive = try folder.open()
        ids = try (1...3).map { number in
            try archive.add("Document \(number)", "some text \(number)")
        }
        if !reserves { unlink(archive.ownFolder?.reserve.path ?? "") }
    }

    deinit { umount2(folder.path, CInt(MNT_DETACH)) }

    /// Takes all space that is left.
    func fill() {
        let file = open(folder.path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let bytes = [UInt8](repeating: 1, count: 4_096)
        while write(file, bytes, bytes.count) > 0 {}
        close(file)
    }

    /// Makes files until there may be no more.
    func takeAllFiles() {
        var number = 0
        while true {
            let file = open("\(folder.path)/filler-\(number)", O_WRONLY | O_CREAT | O_EXCL, 0o600)
            guard file >= 0 else { return }
            close(file)
            number += 1
        }
    }

    func makeReadOnly() throws {
        // A child that another test is starting may have a file open to write for a moment.
        for _ in 0..<200
        where mount("", folder.path, "", UInt(MS_REMOUNT | MS_RDONLY), "") != 0 { usleep(10_000) }
        try #require(access(folder.path, W_OK) != 0)
    }

    /// The bytes that are free.
    var free: Int {
        var about = statvfs()
        statvfs(folder.path, &about)
        return Int(about.f_bavail * about.f_frsize)
    }
}
