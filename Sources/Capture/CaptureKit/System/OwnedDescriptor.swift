import Glibc

/// A file descriptor that is closed when the last reference to it is released.
package final class OwnedDescriptor: Sendable {
    /// The descriptor's number; valid while this object lives.
    package let raw: Int32

    /// Takes over an open descriptor.
    package init(_ raw: Int32) { self.raw = raw }

    /// Both ends of a connected pair of stream sockets, close-on-exec (`socketpair`).
    package static func socketPair() throws(WireError) -> (OwnedDescriptor, OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw WireError(.inputOutput, "no pair of sockets could be made: \(systemMessage())")
        }
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }

    deinit { _ = Glibc.close(raw) }
}

/// The system's message for `errno`, or for another error number (`strerror_r`).
package func systemMessage(_ number: Int32 = errno) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
}

/// Calls `body` until it does not fail with EINTR.
package func retryingInterrupts<Result: SignedInteger>(_ body: () -> Result) -> Result {
    while true {
        let result = body()
        if result != -1 || errno != EINTR { return result }
    }
}
