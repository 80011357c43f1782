import CPosix
package import FoundationEssentials
import Glibc

/// A received line: its header, its JSON, and its descriptor.
package struct WireLine: Sendable {
    /// The fields that identify the message.
    package let header: WireHeader
    /// The line without its end.
    package let json: Data
    /// The descriptor that the message announced.
    package let descriptor: OwnedDescriptor?

    /// Checks a line and reads its header.
    package init(_ json: Data, descriptor: OwnedDescriptor? = nil) throws(WireError) {
        self.json = json
        self.descriptor = descriptor
        header = try WireLine.decode(WireHeader.self, from: json)
        let kinds = [header.request != nil, header.answer != nil, header.event != nil]
        guard kinds.count(where: { $0 }) == 1 else {
            throw WireError(
                .malformed,
                "needs exactly one of request, answer and event: \(WireLine.excerpt(json))")
        }
        guard (0...WireLimits.bytes).contains(header.bytes ?? 0) else {
            throw WireError(.badLength, "announces \(header.bytes ?? 0) bytes")
        }
    }

    /// Reads the message's other fields.
    package func decode<Body: Decodable>(_ type: Body.Type) throws(WireError) -> Body {
        try WireLine.decode(type, from: json)
    }

    private static func decode<Body: Decodable>(
        _ type: Body.Type, from json: Data
    ) throws(WireError) -> Body {
        do {
            return try JSONDecoder().decode(type, from: json)
        } catch let error as DecodingError {
            let fault = JSONFault.words(Array(json)).map { " (\($0))" } ?? ""
            throw WireError(.malformed, "\(reason(error))\(fault): \(excerpt(json))")
        } catch {
            throw WireError(.malformed, "is not JSON: \(excerpt(json))")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "lacks \"\(path(context.codingPath + [key]))\""
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "has the wrong type at \"\(path(context.codingPath))\""
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "is not a JSON object"
                : "has a bad value at \"\(path(context.codingPath))\" (\(context.debugDescription))"
        @unknown default: "can't be read"
        }
    }

    /// A place within a message, such as `devices[0].kind`.
    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
    }

    private static func excerpt(_ json: Data) -> String {
        let text = String(decoding: json.prefix(120), as: UTF8.self)
        let clean = text.unicodeScalars.map { $0.value < 32 ? "\u{FFFD}" : String($0) }.joined()
        return json.count > 120 ? clean + "…" : clean
    }
}

/// Reads messages from a socket, one after the other.
///
/// Use it on one thread, which it blocks. If the bytes after a line were not read, they are skipped
/// before the next line.
package final class WireReader {
    private let socket: OwnedDescriptor
    private let acceptsDescriptors: Bool
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var available = 0..<0
    private var pendingBytes = 0
    private var descriptors: [OwnedDescriptor] = []

    /// A reader of `socket`.
    ///
    /// If `acceptsDescriptors` is false, the system closes any descriptor that the other side
    /// sends.
    package init(socket: OwnedDescriptor, acceptsDescriptors: Bool) {
        self.socket = socket
        self.acceptsDescriptors = acceptsDescriptors
    }

    deinit { chunk.deallocate() }

    /// The next message; nil when the other side has closed the connection between two messages.
    package func next() throws(WireError) -> WireLine? {
        if pendingBytes > 0 { try readBytes { _ in } }
        var line = Data()
        while true {
            if available.isEmpty {
                guard try fill() else {
                    if line.isEmpty { return nil }
                    throw WireError(.cutOff, "the connection ended within a line")
                }
            }
            let bytes = UnsafeRawBufferPointer(rebasing: chunk[available])
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
            line.append(contentsOf: bytes[..<(end ?? bytes.count)])
            guard line.count <= WireLimits.line else {
                throw WireError(.lineTooLong, "a line is longer than \(WireLimits.line) bytes")
            }
            available =
                (available.lowerBound + (end.map { $0 + 1 } ?? bytes.count))..<available.upperBound
            if end != nil { break }
        }
        var message = try WireLine(line)
        if message.header.fd == true && acceptsDescriptors {
            guard !descriptors.isEmpty else {
                throw WireError(.descriptorMissing, "announces a descriptor that did not arrive")
            }
            message = try WireLine(line, descriptor: descriptors.removeFirst())
        }
        pendingBytes = message.header.bytes ?? 0
        return message
    }

    /// Passes the raw bytes after the last line to `body`, piece by piece.
    package func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(WireError) {
        while pendingBytes > 0 {
            if available.isEmpty, try !fill() {
                throw WireError(.cutOff, "the connection ended with \(pendingBytes) bytes missing")
            }
            let count = min(available.count, pendingBytes)
            let start = available.lowerBound
            body(UnsafeRawBufferPointer(rebasing: chunk[start..<start + count]))
            available = (start + count)..<available.upperBound
            pendingBytes -= count
        }
    }

    /// Waits for more bytes; false at the end of the connection.
    private func fill() throws(WireError) -> Bool {
        var received: Int32 = 0
        var numbers: [Int32] = Array(repeating: -1, count: acceptsDescriptors ? 4 : 0)
        let count = retryingInterrupts {
            acceptsDescriptors
                ? cposix_receive(
                    socket.raw, chunk.baseAddress, chunk.count, &numbers, 4, &received)
                : recv(socket.raw, chunk.baseAddress, chunk.count, 0)
        }
        descriptors += numbers.prefix(Int(received)).map { OwnedDescriptor($0) }
        if count < 0 && errno != ECONNRESET {
            throw WireError(.inputOutput, "the connection can't be read: \(systemMessage())")
        }
        available = 0..<max(count, 0)
        return count > 0
    }
}
