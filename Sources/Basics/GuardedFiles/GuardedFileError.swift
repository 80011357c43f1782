public import Glibc

/// An error of ``GuardedFolder``.
public struct GuardedFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// Nothing has that name.
        case missing
        /// A link, pipe, socket, device, folder or file is where something else is expected.
        case wrongKind
        /// Another user owns the folder, or may change its contents.
        case notOwn
        /// The file exceeds the size that may be read.
        case tooLarge
        /// The system refuses the call; ``GuardedFileError/number`` has the reason.
        case system
    }

    /// The kind of failure.
    public let code: Code
    /// The system's number for it (errno(3)); 0 if no call failed.
    public let number: Int32
    /// The path that could not be used.
    public let path: String
    /// The failure and the advice, in one or more sentences.
    public let message: String

    /// The same as ``message``.
    public var description: String { message }

    /// A failed system call on a path.
    static func system(_ number: Int32, _ verb: String, _ path: String) -> GuardedFileError {
        GuardedFileError(
            code: number == ENOENT ? .missing : .system, number: number, path: path,
            message: "Cannot \(verb) '\(path)': \(String(cString: strerror(number))).")
    }

    /// Others could change the folder's contents.
    static func notOwn(_ path: String, _ message: String) -> GuardedFileError {
        GuardedFileError(code: .notOwn, number: 0, path: path, message: message)
    }

    /// Something else is where a file or folder is expected.
    static func wrongKind(_ about: stat, _ path: String, wanted: mode_t) -> GuardedFileError {
        GuardedFileError(
            code: .wrongKind, number: 0, path: path,
            message:
                "'\(path)' is \(fileKind(about.st_mode)), not \(fileKind(wanted)). Move it away.")
    }
}

/// The kind of a file, by its mode (inode(7)), such as "a link".
public func fileKind(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFREG: "a file"
    case S_IFDIR: "a folder"
    case S_IFLNK: "a link"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something unknown"
    }
}
