import Glibc
import Synchronization

/// A helper process and the host's connection to it.
///
/// One exchange runs at a time; only ``kill()`` may be called from another thread meanwhile, and
/// ends the exchange. `@unchecked Sendable`: the descriptors are constant, `lastWords` is touched
/// by the one exchange alone, and the process number, which may be reused once it is collected, is
/// behind a lock.
final class HelperProcess: @unchecked Sendable {
    private enum Life {
        case running(pid_t)
        case ended(ProcessEnd)
    }

    private let socket: Int32
    private let errors: Int32
    private let life: Mutex<Life>
    private var lastWords = LastWords()

    /// Starts a helper.
    init(_ command: HelperCommand) throws(HelperFailure) {
        let launched = try command.launch()
        socket = launched.socket
        errors = launched.errors
        life = Mutex(.running(launched.process))
    }

    deinit {
        _ = collect(patience: 0)
        close(socket)
        close(errors)
    }

    /// Ends the process at once; may be called from any thread, and more than once.
    func kill() {
        life.withLock { life in
            if case .running(let process) = life { _ = Glibc.kill(process, SIGKILL) }
        }
    }

    /// Sends a request, with the rows of its picture, and waits for the answer.
    func exchange(
        _ request: [UInt8], rows: HelperRows?, deadline: Deadline
    ) throws(HelperFailure) -> [UInt8] {
        try send(FrameHeader.bytes(announcing: request.count) + request, deadline)
        if let rows {
            var row = 0
            while let chunk = rows.chunk(from: &row) { try send(chunk, deadline) }
        }
        let header = try receive(FrameHeader.byteCount, deadline)
        guard let length = FrameHeader.length(in: header) else {
            throw .nonsense("no message begins with \(header.map { String($0, radix: 16) })")
        }
        return try receive(length, deadline)
    }

    /// Collects the process, waiting up to `patience` milliseconds for it to end by itself before
    /// it is killed.
    private func collect(patience: Int) -> ProcessEnd {
        life.withLock { life in
            guard case .running(let process) = life else {
                if case .ended(let end) = life { return end }
                return .unknown
            }
            let end = Self.collect(process, patience: patience)
            life = .ended(end)
            return end
        }
    }

    private static func collect(_ process: pid_t, patience: Int) -> ProcessEnd {
        var status: Int32 = 0
        for _ in 0..<patience {
            let answer = waitpid(process, &status, WNOHANG)
            if answer == process { return ProcessEnd(waitStatus: status) }
            if answer < 0 && errno != EINTR { return .unknown }
            usleep(1000)
        }
        _ = Glibc.kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return .unknown } }
        return patience == 0 ? ProcessEnd(waitStatus: status) : .unknown
    }

    // MARK: Bytes

    private func send(_ bytes: [UInt8], _ deadline: Deadline) throws(HelperFailure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    socket, buffer.baseAddress! + sent, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, deadline)
            } else if errno != EINTR {
                throw failureAtEnd()
            }
        }
    }

    private func receive(_ count: Int, _ deadline: Deadline) throws(HelperFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                read(socket, buffer.baseAddress! + received, count - received)
            }
            if got > 0 {
                received += got
            } else if got < 0 && errno == EAGAIN {
                try wait(for: POLLIN, deadline)
            } else if got == 0 || errno != EINTR {
                throw failureAtEnd()
            }
        }
        return bytes
    }

    /// Waits until the socket is ready, taking in what the helper complains about meanwhile.
    private func wait(for event: Int32, _ deadline: Deadline) throws(HelperFailure) {
        guard let left = deadline.millisecondsLeft else {
            kill()
            throw .tookTooLong(deadline.limit)
        }
        var polled = [
            pollfd(fd: socket, events: Int16(event), revents: 0),
            pollfd(fd: lastWords.isOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&polled, 2, left)
        if polled[1].revents != 0 { lastWords.take(from: errors) }
    }

    private func failureAtEnd() -> HelperFailure {
        // The socket closes a moment before the process can be collected.
        let end = collect(patience: 500)
        lastWords.take(from: errors)
        return .ended(end, lastWords: lastWords.text)
    }
}
