/// The fields that identify a message; every message has one of `request`, `answer` and `event`.
package struct WireHeader: Codable, Hashable, Sendable {
    /// The number of a request from the host, which counts up from 1.
    package var request: Int?
    /// The verb of a request.
    package var verb: Verb.RawValue?
    /// The number of the answered request.
    package var answer: Int?
    /// The name of an event.
    package var event: String?
    /// The number of raw bytes that follow the line.
    package var bytes: Int?
    /// True when a file descriptor comes with the message.
    package var fd: Bool?
    /// The reason why a request failed.
    package var error: CaptureError?

    /// A header; every field that is not given is absent.
    package init(
        request: Int? = nil, verb: Verb? = nil, answer: Int? = nil, event: EventName? = nil,
        bytes: Int? = nil, fd: Bool? = nil, error: CaptureError? = nil
    ) {
        self.request = request
        self.verb = verb?.rawValue
        self.answer = answer
        self.event = event?.rawValue
        self.bytes = bytes
        self.fd = fd
        self.error = error
    }
}

/// The requests of the host.
package enum Verb: String, CaseIterable, Sendable {
    case hello, devices, open, options, set, capture, cancel, close
}

/// The reports that either side sends without a request.
package enum EventName: String, CaseIterable, Sendable {
    // From the backend.
    case deviceAdded, deviceChanged, deviceRemoved, optionChanged, source, frame, pixels, text
    case progress, done, skipped, reading, log
    // From the host, in answer to `frame`.
    case buffer, refused
}

/// The version of the protocol that this code speaks.
public let captureProtocolVersion = 1

/// An outgoing message: a header and a body, side by side in one JSON object.
package struct WireMessage<Body: Encodable>: Encodable {
    /// The fields that identify the message.
    package var header: WireHeader
    /// The other fields.
    package var body: Body

    /// A message with a header and a body.
    package init(_ header: WireHeader, _ body: Body) {
        self.header = header
        self.body = body
    }

    /// Writes both parts into one object.
    package func encode(to encoder: any Encoder) throws {
        try header.encode(to: encoder)
        try body.encode(to: encoder)
    }
}
