import CaptureKit
package import FoundationEssentials

/// A message between host and backend, for a trace, which shows the number of its raw bytes only.
package struct TracedMessage: Sendable {
    /// The side that sent the message.
    package enum Sender: String, Sendable {
        case host, backend
    }

    /// The backend's id.
    package let backend: String
    /// The side that sent the message.
    package let sender: Sender
    /// The time when the message was read, or queued for sending.
    package let time: ContinuousClock.Instant
    /// The message's line of JSON, without its end.
    package let json: Data
    /// The number of raw bytes that follow the line.
    package let bytes: Int
    /// True when a file descriptor comes with the message.
    package let hasDescriptor: Bool

    /// A message from a backend.
    init(from backend: String, _ line: WireLine) {
        self.init(
            backend: backend, sender: .backend, time: .now, json: line.json,
            bytes: line.header.bytes ?? 0, hasDescriptor: line.header.fd == true)
    }

    /// Passes the lines that are sent to a backend to `trace`.
    static func sending(
        to backend: String, _ trace: @escaping @Sendable (TracedMessage) -> Void
    ) -> @Sendable (Data, Bool) -> Void {
        { line, hasDescriptor in
            trace(
                TracedMessage(
                    backend: backend, sender: .host, time: .now, json: line.dropLast(), bytes: 0,
                    hasDescriptor: hasDescriptor))
        }
    }

    private init(
        backend: String, sender: Sender, time: ContinuousClock.Instant, json: Data, bytes: Int,
        hasDescriptor: Bool
    ) {
        self.backend = backend
        self.sender = sender
        self.time = time
        self.json = json
        self.bytes = bytes
        self.hasDescriptor = hasDescriptor
    }
}
