import Glibc

/// The address of a Unix socket in the file system.
package struct UnixAddress {
    private let path: [UInt8]

    /// The maximum number of bytes of a path that the system accepts (`sun_path`, without its end).
    package static let longest = 107

    /// An address; nil for a path that is empty or longer than ``longest``.
    package init?(_ path: String) {
        let bytes = Array(path.utf8)
        guard (1...Self.longest).contains(bytes.count), !bytes.contains(0) else { return nil }
        self.path = bytes
    }

    /// A new stream socket, close-on-exec; nil when the system has none left (`errno`).
    package static func socket() -> OwnedDescriptor? {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let raw = Glibc.socket(AF_UNIX, type, 0)
        return raw < 0 ? nil : OwnedDescriptor(raw)
    }

    /// Connects a socket to the listener at this address; false when it fails (`errno`).
    package func connect(_ socket: OwnedDescriptor) -> Bool {
        withAddress { address, size in
            retryingInterrupts { Glibc.connect(socket.raw, address, size) } == 0
        }
    }

    /// Binds a socket to this address; false when it fails (`errno`).
    package func bind(_ socket: OwnedDescriptor) -> Bool {
        withAddress { Glibc.bind(socket.raw, $0, $1) == 0 }
    }

    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
