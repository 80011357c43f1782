import FoundationEssentials
import Glibc

/// A file with secrets: nobody but its owner may read it, from its first moment on.
package struct PrivateFile {
    /// Where it is.
    package let path: String
    /// What it holds, for messages, such as "passwords".
    private let secrets: String

    /// A file at a path, whether it is there or not.
    package init(path: String, holding secrets: String) {
        self.path = path
        self.secrets = secrets
    }

    /// What is in it; nil when it is not there.
    ///
    /// - Throws: ``DeliveryError`` `permissionDenied` when others may read it.
    package func read() throws(DeliveryError) -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw .disk(errno, "read", path, in: "")
            }
            return nil
        }
        guard status.st_mode & 0o077 == 0 else {
            throw DeliveryError(
                .permissionDenied,
                "'\(path)' holds \(secrets) and can be read by others. Close it with: chmod 600 \(shellQuoted(path))"
            )
        }
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .disk(errno, "read", path, in: "")
        }
    }

    /// Puts bytes in the place of what is in it: all of them, or none.
    ///
    /// - Throws: ``DeliveryError``.
    package func replace(with bytes: [UInt8]) throws(DeliveryError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let name = String(path.split(separator: "/").last ?? "")
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .disk(errno, "write", path, in: "")
        }
        var disk = Disk.live
        disk.create = { folder, name in
            openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        let place = try OutputFolder(path: folder, for: name, disk: disk)
        let file = try PartialFile(name, in: place)
        try file.append(bytes)
        try file.seal()
        try file.replace(name)
        try place.sync()
    }
}
