public import Glibc

/// A part of an open file, closed when the last reference to it is released.
public final class HTTPFile: Sendable {
    /// The offset of the part in bytes.
    public let offset: Int
    /// The length of the part in bytes.
    public let count: Int
    private let descriptor: CInt

    /// Takes ownership of an open descriptor of a regular file.
    ///
    /// - Precondition: `offset` and `count` are within the file.
    public init(descriptor: CInt, offset: Int, count: Int) {
        self.descriptor = descriptor
        self.offset = offset
        self.count = count
    }

    /// Opens a regular file for reading; nil with `errno` set when it can't be opened or is not a
    /// regular file.
    public static func open(_ path: String) -> (descriptor: CInt, status: stat)? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            errno = EINVAL
            return nil
        }
        return (descriptor, status)
    }

    /// A part of this part, in bytes from its beginning; nil when the process has no descriptor
    /// left.
    ///
    /// - Precondition: `range` is within `0..<count`.
    public func part(_ range: Range<Int>) -> HTTPFile? {
        let copy = duplicate()
        guard copy >= 0 else { return nil }
        return HTTPFile(
            descriptor: copy, offset: offset + range.lowerBound, count: range.count)
    }

    /// A new descriptor, which the caller must close (`fcntl`); −1 when the process has none left.
    func duplicate() -> CInt { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    deinit { close(descriptor) }
}
