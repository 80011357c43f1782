import CPosix
import Dispatch
package import FoundationEssentials
import Glibc
import Synchronization

/// Writes messages to a socket from a separate queue, so that senders never wait for the other
/// side.
///
/// After a failure, nothing more is written; the reader of the same socket sees that the other side
/// is gone.
package final class WireWriter: Sendable {
    private let socket: OwnedDescriptor
    private let queue = DispatchQueue(label: "copystand.wire.writer")
    private let failure = Mutex<WireError?>(nil)
    private let onLine: (@Sendable (Data, _ hasDescriptor: Bool) -> Void)?

    /// A writer to `socket`, which gives up when the other side does not read for `timeout` seconds.
    ///
    /// `onLine` gets every line that is sent, with its end but without raw bytes.
    package init(
        socket: OwnedDescriptor, timeout: Int? = nil,
        onLine: (@Sendable (Data, _ hasDescriptor: Bool) -> Void)? = nil
    ) {
        self.socket = socket
        self.onLine = onLine
        if let timeout {
            var time = timeval(tv_sec: timeout, tv_usec: 0)
            setsockopt(
                socket.raw, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// The line of a message, with its end.
    package static func line(_ message: some Encodable) throws(WireError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            var line = try encoder.encode(message)
            guard line.count <= WireLimits.line else {
                throw WireError(
                    .lineTooLong, "a message of \(line.count) bytes is too long to send")
            }
            line.append(UInt8(ascii: "\n"))
            return line
        } catch let error as WireError {
            throw error
        } catch {
            throw WireError(.malformed, "a message can't be written as JSON: \(error)")
        }
    }

    /// Sends a message, with a descriptor if one is given, after all earlier messages.
    package func send<Body: Encodable>(
        _ header: WireHeader, _ body: Body = Wire.Empty(), descriptor: OwnedDescriptor? = nil
    ) throws(WireError) {
        let line = try WireWriter.line(WireMessage(header, body))
        onLine?(line, descriptor != nil)
        queue.async { self.write(line, descriptor) }
    }

    /// Sends a message and its raw bytes, and waits until they are sent.
    ///
    /// `bytes` must stay valid until the call returns.
    package func send<Body: Encodable>(
        _ header: WireHeader, _ body: Body, bytes: UnsafeRawBufferPointer
    ) async throws(WireError) {
        let line = try WireWriter.line(WireMessage(header, body))
        nonisolated(unsafe) let bytes = bytes
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                self.write(line, nil)
                self.write(bytes, nil)
                continuation.resume()
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Waits until all messages so far are sent.
    package func drain() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { continuation.resume() }
        }
    }

    private func write(_ data: Data, _ descriptor: OwnedDescriptor?) {
        data.withUnsafeBytes { write($0, descriptor) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ descriptor: OwnedDescriptor?) {
        guard failure.withLock({ $0 == nil }) else { return }
        var rest = bytes[...]
        var descriptor = descriptor
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = retryingInterrupts {
                descriptor.map {
                    cposix_send_descriptor(socket.raw, piece.baseAddress, piece.count, $0.raw)
                } ?? Glibc.send(socket.raw, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 else {
                let error = WireError(
                    .inputOutput, "the connection can't be written: \(systemMessage())")
                failure.withLock { $0 = error }
                // A partly written message can't be repaired, so the connection is closed for both
                // sides.
                shutdown(socket.raw, Int32(SHUT_RDWR))
                return
            }
            descriptor = nil
            rest = rest.dropFirst(count)
        }
    }
}
