import Glibc

/// A socket that accepts connections.
struct ListeningSocket {
    let descriptor: CInt
    let port: UInt16

    /// Binds to a numeric address (`getaddrinfo`, `bind`, `listen`).
    init(address: String, port: UInt16) throws(ListenError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &found) == 0, let found else {
            throw ListenError(
                "'\(address)' is not an address to listen on. Give a numeric one, such as 127.0.0.1 or ::1."
            )
        }
        defer { freeaddrinfo(found) }
        let place = found.pointee
        let descriptor = socket(
            place.ai_family,
            place.ai_socktype | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure(address, port) }
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        guard bind(descriptor, place.ai_addr, place.ai_addrlen) == 0, listen(descriptor, 512) == 0
        else {
            let failure = Self.failure(address, port)
            Glibc.close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
    }

    /// The same socket as a new descriptor, which the caller must close (`fcntl`).
    func duplicate() throws(ListenError) -> CInt {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            throw ListenError(
                "No more sockets can be opened: \(String(cString: strerror(errno))). Raise the limit of open files (ulimit -n)."
            )
        }
        return copy
    }

    func close() { Glibc.close(descriptor) }

    private static func port(of descriptor: CInt) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &length)
            }
            // Both families' addresses have the port at the same place.
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
    }

    private static func failure(_ address: String, _ port: UInt16) -> ListenError {
        let number = errno
        let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        switch number {
        case EADDRINUSE:
            return ListenError(
                "\(place) is already in use, perhaps by another Copystand. Stop that one, or choose another port with --listen."
            )
        case EACCES:
            return ListenError(
                "This user may not listen on \(place). Choose a port above 1023 with --listen."
            )
        case EADDRNOTAVAIL:
            return ListenError(
                "\(address) is not an address of this machine. 127.0.0.1 and ::1 always are.")
        default:
            return ListenError(
                "\(place) can't be listened on: \(String(cString: strerror(number))).")
        }
    }
}
