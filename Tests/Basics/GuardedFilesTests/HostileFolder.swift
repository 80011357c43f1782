import FoundationEssentials
import Glibc
import Testing

@testable import GuardedFiles

/// What someone may put where a file or folder is expected.
enum Trap: String, CaseIterable, Sendable {
    case link, danglingLink, folderLink, pipe, socket, device, folder

    /// What messages call it.
    var words: String {
        switch self {
        case .link, .danglingLink, .folderLink: "a link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .folder: "a folder"
        }
    }
}

/// A folder beside another one, whose contents must stay as they are.
final class HostileFolder {
    let path: String
    /// The folder that links lead to.
    let outside: String

    init() throws {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array((base + "/copystand-guarded-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        let root = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = root + "/inside"
        outside = root + "/outside"
        for folder in [path, outside] { try #require(mkdir(folder, 0o700) == 0) }
        try Data("secret".utf8).write(to: URL(filePath: outside + "/file"))
    }

    deinit {
        try? FileManager.default.removeItem(
            atPath: String(path.dropLast("/inside".count)))
    }

    /// Puts a trap under a name.
    func set(_ trap: Trap, at name: String) throws {
        let place = path + "/" + name
        switch trap {
        case .link: try #require(symlink(outside + "/file", place) == 0)
        case .danglingLink: try #require(symlink(outside + "/new", place) == 0)
        case .folderLink: try #require(symlink(outside, place) == 0)
        case .pipe: try #require(mkfifo(place, 0o600) == 0)
        case .folder: try #require(mkdir(place, 0o700) == 0)
        case .device:
            guard mknod(place, S_IFCHR | 0o600, dev_t(0x0103)) == 0 else {
                try Test.cancel("only root may make a device")
            }
        case .socket:
            let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { bytes in
                for (index, byte) in place.utf8.enumerated() where index < 107 {
                    bytes[index] = byte
                }
            }
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
        }
    }

    /// True if nothing outside was changed or made.
    var isOutsideUntouched: Bool {
        let names = try? FileManager.default.contentsOfDirectory(atPath: outside)
        let bytes = try? Data(contentsOf: URL(filePath: outside + "/file"))
        return names == ["file"] && bytes == Data("secret".utf8)
    }
}
