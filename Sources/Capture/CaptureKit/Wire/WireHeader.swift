/// The fields that say what a message is; every message has one of `request`, `answer` and
/// `event`.
package struct WireHeader: Codable, Hashable, Sendable {
    /// The number of a request, from the host, counted up from 1.
    package var request: Int?
    /// The verb of a request.
    package var verb: Verb.RawValue?
    /// The number of the request that is answered.
    package var answer: Int?
    /// The name of an event.
    package var event: String?
    /// How many raw bytes follow the line.
    package var bytes: Int?
    /// True when a file descriptor comes with it.
    package var fd: Bool?
    /// Why a request failed.
    package var error: CaptureError?

    /// A header; what is not given is absent.
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

/// What the host asks for.
package enum Verb: String, CaseIterable, Sendable {
    case hello, devices, open, options, set, capture, cancel, close
}

/// What either side reports without being asked.
package enum EventName: String, CaseIterable, Sendable {
    // From the backend.
    case deviceAdded, deviceChanged, deviceRemoved, optionChanged, source, frame, pixels, text
    case progress, done, skipped, reading, log
    // From the host, in answer to `frame`.
    case buffer, refused
}

/// The version of the protocol this code speaks.
public let captureProtocolVersion = 1

/// A message to be sent: a header and the fields of its kind, side by side in one JSON object.
package struct WireMessage<Body: Encodable>: Encodable {
    /// What the message is.
    package var header: WireHeader
    /// The fields of its kind.
    package var body: Body

    /// A message of a header and a body.
    package init(_ header: WireHeader, _ body: Body) {
        self.header = header
        self.body = body
    }

    /// Writes both into one object.
    package func encode(to encoder: any Encoder) throws {
        try header.encode(to: encoder)
        try body.encode(to: encoder)
    }
}
