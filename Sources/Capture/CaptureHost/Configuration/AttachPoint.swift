import BlockingWork
import CaptureKit
import Glibc
import UserFiles

/// The place where the host waits for a backend that a developer starts, as in a debugger.
///
/// The host and the program get the same path in `COPYSTAND_ATTACH`; its last component is the
/// backend's id. The host makes a socket there, to which only its user can connect, and uses the
/// first connection.
public struct AttachPoint: Hashable, Sendable {
    /// The environment variable with the path.
    public static let variable = "COPYSTAND_ATTACH"

    /// The socket's path.
    public let path: String

    /// The id of the backend that the host waits for.
    public var backend: String { lastComponent(path) }

    /// A place with this path.
    ///
    /// - Parameter path: an absolute path of at most 107 bytes, whose last component is a backend's
    ///   id.
    /// - Throws: ``HostError`` `brokenBackend`.
    public init(_ path: String) throws(HostError) {
        self.path = path
        guard path.hasPrefix("/"), UnixAddress(path) != nil, Manifest.isID(lastComponent(path))
        else {
            throw HostError(
                .brokenBackend,
                "\(Self.variable) is '\(path.prefix(200))', which is not the place of a socket",
                advice:
                    "Name an absolute path of at most \(UnixAddress.longest) bytes that ends with the backend's id, such as $XDG_RUNTIME_DIR/mycam"
            )
        }
    }

    /// Waits until a program of this user connects.
    ///
    /// - Throws: ``HostError`` `brokenBackend` when other users could connect; `CancellationError`
    ///   when the task is canceled.
    func accept() async throws -> OwnedDescriptor {
        let listener = try listen()
        let made = identity
        defer { if identity == made { unlink(path) } }
        return try await withTaskCancellationHandler {
            try await onOwnThread { try self.await(listener) }
        } onCancel: {
            // This ends the thread's wait.
            shutdown(listener.raw, Int32(SHUT_RDWR))
        }
    }

    private func await(_ listener: OwnedDescriptor) throws -> OwnedDescriptor {
        while true {
            let raw = retryingInterrupts { Glibc.accept(listener.raw, nil, nil) }
            guard raw >= 0 else { throw CancellationError() }
            let connection = OwnedDescriptor(raw)
            _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
            // The socket's mode keeps others out; this check holds even where a system ignores the
            // mode.
            if Self.user(of: connection).map({ [0, geteuid()].contains($0) }) == true {
                return connection
            }
        }
    }

    private func listen() throws -> OwnedDescriptor {
        do {
            try UserFile(path: path).checkTrust()
        } catch {
            throw refusal(error.message, "Choose a folder that only you can change")
        }
        guard let socket = UnixAddress.socket(), let address = UnixAddress(path) else {
            throw refusal(systemMessage(), nil)
        }
        // A socket that an earlier host left is removed: the backend connects to the host that
        // waits now.
        var about = stat()
        if lstat(path, &about) == 0, about.st_mode & S_IFMT == S_IFSOCK { unlink(path) }
        // Linux makes the file with the mode that the socket has.
        guard fchmod(socket.raw, 0o600) == 0, address.bind(socket),
            Glibc.listen(socket.raw, 1) == 0
        else { throw refusal(systemMessage(), "Choose another path") }
        return socket
    }

    /// The device and inode numbers of the file that is at the path now.
    private var identity: [UInt64]? {
        var about = stat()
        return lstat(path, &about) == 0 ? [UInt64(about.st_dev), UInt64(about.st_ino)] : nil
    }

    private func refusal(_ reason: String, _ advice: String?) -> HostError {
        HostError(
            .brokenBackend, "no backend can be waited for at '\(path)': \(reason)", advice: advice,
            backend: backend)
    }

    /// The user of the process at the other end (`SO_PEERCRED`).
    private static func user(of connection: OwnedDescriptor) -> uid_t? {
        // struct ucred: process, user, group.
        var credentials: (pid_t, uid_t, gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        let isKnown =
            getsockopt(connection.raw, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0
        return isKnown ? credentials.1 : nil
    }
}

/// The last component of a path; empty for an empty path.
private func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
}

extension Deadlines {
    /// Deadlines of a day each, so that a developer can take time in a debugger.
    static let ofDebugger: Deadlines = {
        var deadlines = Deadlines()
        for field in [
            \Deadlines.hello, \.devices, \.open, \.options, \.progress, \.cancel, \.close,
        ] { deadlines[keyPath: field] = .seconds(86_400) }
        return deadlines
    }()
}
