import Glibc

/// Writes whole texts to standard output or standard error, in as many writes as needed.
public enum OutputStream: Int32, Sendable {
    /// Results, for people and programs.
    case standardOutput = 1
    /// Messages to the user meanwhile.
    case standardError = 2

    /// Writes all of `text` with `write(2)`.
    ///
    /// When the reader of a pipe is gone, SIGPIPE ends the process, as usual in a pipeline; any
    /// other failure, such as a full disk, is returned.
    ///
    /// - Returns: nil, or the `errno` of the failure.
    public func write(_ text: String) -> Int32? { write(Array(text.utf8)) }

    /// Writes all bytes, as ``write(_:)-(String)`` does.
    public func write(_ bytes: [UInt8]) -> Int32? {
        bytes.withUnsafeBytes { bytes -> Int32? in
            var rest = bytes
            while let base = rest.baseAddress, !rest.isEmpty {
                let count = Glibc.write(rawValue, base, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno == EAGAIN {
                    waitUntilWritable()
                } else if errno == EPIPE, self == .standardOutput {
                    endByPipeSignal()
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }

    /// Waits for a terminal that another program has made non-blocking.
    private func waitUntilWritable() {
        var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        _ = poll(&descriptor, 1, -1)
    }

    private func endByPipeSignal() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        _exit(128 + SIGPIPE)
    }
}
