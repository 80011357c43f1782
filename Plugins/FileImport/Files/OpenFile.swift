import Glibc

/// A file or folder opened for reading; closed when the last reference is released.
final class OpenFile {
    /// The file descriptor.
    let descriptor: Int32
    /// The file's size in bytes.
    let size: Int
    /// True for a folder.
    let isFolder: Bool

    /// Opens `path` with `open(2)`; a pipe is refused rather than waited for.
    init(_ path: FilePath) throws(DecodeFault) {
        let descriptor = path.withCString { name in
            retrying { open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        }
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw .missing
            case EACCES, EPERM: throw .permissionDenied
            case ENXIO: throw .noFile
            default: throw .inputOutput(systemMessage())
            }
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let message = systemMessage()
            _ = close(descriptor)
            throw .inputOutput(message)
        }
        let type = status.st_mode & S_IFMT
        guard type == S_IFREG || type == S_IFDIR else {
            _ = close(descriptor)
            throw .noFile
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
        isFolder = type == S_IFDIR
    }

    deinit { _ = close(descriptor) }

    /// True when the file has bytes although its size is 0.
    var hasUnreportedBytes: Bool {
        var byte: UInt8 = 0
        return size == 0 && retrying { pread(descriptor, &byte, 1, 0) } > 0
    }

    /// A second descriptor of the same file, for a library that closes its descriptor (`fcntl`,
    /// F_DUPFD_CLOEXEC).
    func duplicate() throws(DecodeFault) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .inputOutput(systemMessage()) }
        return copy
    }

    /// Up to `count` bytes from `offset`; fewer at the file's end (`pread(2)`).
    func read(at offset: Int, count: Int) throws(DecodeFault) -> [UInt8] {
        guard offset >= 0, count > 0, offset < size else { return [] }
        var bytes = [UInt8](repeating: 0, count: min(count, size - offset))
        let got = bytes.withUnsafeMutableBytes { fill($0, from: offset) }
        guard got >= 0 else { throw .inputOutput(systemMessage()) }
        bytes.removeLast(bytes.count - got)
        return bytes
    }

    func fill(_ target: UnsafeMutableRawBufferPointer, from offset: Int) -> Int {
        var done = 0
        while done < target.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
            let got = retrying {
                pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            }
            if got < 0 { return -1 }
            if got == 0 { break }
            done += got
        }
        return done
    }
}

/// Repeats a system call that a signal interrupted.
private func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

/// The system's message for `errno`.
func systemMessage() -> String {
    var text = [CChar](repeating: 0, count: 256)
    let code = errno
    return strerror_r(code, &text, text.count) == 0 ? string(text) : "error \(code)"
}

/// Closes a descriptor that a library did not take over.
func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
