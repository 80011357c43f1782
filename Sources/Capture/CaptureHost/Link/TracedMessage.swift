import CaptureKit
package import FoundationEssentials

/// A message between host and backend, as a trace shows it; raw bytes are counted, not shown.
package struct TracedMessage: Sendable {
    /// Who sent it.
    package enum Sender: String, Sendable {
        case host, backend
    }

    /// The backend's id.
    package let backend: String
    /// Who sent it.
    package let sender: Sender
    /// When it was read, or queued for sending.
    package let time: ContinuousClock.Instant
    /// The line, without its end.
    package let json: Data
    /// How many raw bytes follow it.
    package let bytes: Int
    /// True when a file descriptor comes with it.
    package let hasDescriptor: Bool

    /// A message that a backend sent.
    init(from backend: String, _ line: WireLine) {
        self.init(
            backend: backend, sender: .backend, time: .now, json: line.json,
            bytes: line.header.bytes ?? 0, hasDescriptor: line.header.fd == true)
    }

    /// Reports the lines that are sent to a backend to `trace`.
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
