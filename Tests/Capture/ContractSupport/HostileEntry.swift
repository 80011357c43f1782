import FoundationEssentials
import Glibc

/// What someone may put where a file is expected.
public enum HostileEntry: String, CaseIterable, Sendable {
    case link, danglingLink, pipe, socket, folder, device

    /// What messages call it.
    public var words: String {
        switch self {
        case .link, .danglingLink: "a link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .folder: "a folder"
        case .device: "a device"
        }
    }
}

/// A folder outside, to which links lead and whose contents must stay as they are.
public final class Outside: Sendable {
    private let folder: TemporaryFolder
    private let secret: [UInt8]

    /// - Parameter secret: the bytes of its file, such as a valid record.
    public init(_ secret: String = "secret") throws {
        folder = try TemporaryFolder()
        self.secret = Array(secret.utf8)
        try Data(self.secret).write(to: URL(filePath: folder.file("file")))
    }

    /// True if nothing outside was changed or made.
    public var isUntouched: Bool {
        folder.names() == ["file"]
            && (try? Data(contentsOf: URL(filePath: folder.file("file")))) == Data(secret)
    }

    /// Puts something else in the place of a file; false for a device, which only root may make.
    public func put(_ entry: HostileEntry, at path: String) -> Bool {
        try? FileManager.default.removeItem(atPath: path)
        return switch entry {
        case .link: symlink(folder.file("file"), path) == 0
        case .danglingLink: symlink(folder.file("new"), path) == 0
        case .pipe: mkfifo(path, 0o600) == 0
        case .socket: mknod(path, S_IFSOCK | 0o600, 0) == 0
        case .folder: mkdir(path, 0o700) == 0
        case .device: mknod(path, S_IFCHR | 0o600, dev_t(0x0103)) == 0
        }
    }

    /// Puts a link to the folder outside at a path.
    public func link(at path: String) -> Bool { symlink(folder.path, path) == 0 }
}
