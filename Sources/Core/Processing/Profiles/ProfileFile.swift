import FoundationEssentials
import Glibc

/// Reads a profile's file, and refuses one that is too large or not an ordinary file.
enum ProfileFile {
    /// The file's bytes.
    ///
    /// - Throws: ``ProfileError`` with code `unreadable`.
    static func read(_ path: String, limit: Int) throws(ProfileError) -> Data {
        // A named pipe must not block the listing: hence O_NONBLOCK, and the check of the opened
        // file.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw unreadable(path, because: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable(path, because: "it is not an ordinary file")
        }
        var bytes = [UInt8]()
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return Data(bytes) }
            if count < 0 {
                if errno == EINTR { continue }
                throw unreadable(path, because: String(cString: strerror(errno)))
            }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else {
                throw unreadable(path, because: "it is larger than \(limit >> 20) MiB")
            }
        }
    }

    private static func unreadable(_ path: String, because reason: String) -> ProfileError {
        ProfileError(
            .unreadable,
            "the profile \(path) cannot be read: \(reason). Check the path and its permissions.")
    }
}
