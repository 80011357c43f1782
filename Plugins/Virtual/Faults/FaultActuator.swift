import BlockingWork
import Glibc

/// The effect of a fault on the process.
enum FaultAct: Hashable, Sendable {
    /// Abort with SIGABRT.
    case crash
    /// Exit immediately with this status.
    case exit(Int32)
    /// Wait forever, ignoring cancellation.
    case hang
    /// Stop the process with SIGSTOP.
    case freeze
    /// Write bytes that are not a message to file descriptor 3.
    case garbage
    /// Flood standard output and standard error.
    case noise
}

/// Applies a fault's effect to the process; tests use an actuator that only records it.
protocol FaultActuator: Sendable {
    /// Performs the act. Returns only from `garbage`, `noise`, and a `freeze` that someone ended
    /// with SIGCONT.
    ///
    /// - Throws: an error of a test's actuator, which throws instead of ending the process.
    func perform(_ act: FaultAct) async throws
}

/// The actuator of the real program.
struct ProcessFaultActuator: FaultActuator {
    /// Bytes written to each of standard output and error by `noise`.
    static let noiseBytes = 1 << 20

    func perform(_ act: FaultAct) async throws {
        switch act {
        case .crash: abort()
        case .exit(let status): _exit(status)
        case .hang: await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        case .freeze: raise(SIGSTOP)
        case .garbage:
            write([UInt8]("\u{1}no message at all\n{\"\n".utf8) + [0, 0xFF, 0xFE, 10], to: 3)
        case .noise:
            let line = [UInt8](
                "the virtual device is making a noise; this line means nothing\n".utf8)
            let flood = Array(repeatElement(line, count: Self.noiseBytes / line.count + 1).joined())
            await onOwnThread {
                write(flood, to: STDOUT_FILENO)
                write(flood, to: STDERR_FILENO)
            }
        }
    }
}

/// Writes all bytes, or as many as the descriptor takes before it fails.
private func write(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
        var done = 0
        while done < buffer.count {
            let count = Glibc.write(descriptor, buffer.baseAddress! + done, buffer.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            done += count
        }
    }
}
