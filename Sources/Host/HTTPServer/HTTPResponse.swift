/// An answer to a request.
public struct HTTPResponse: Sendable {
    /// The status code, 200…599.
    public var status: Int
    /// The headers; names and values without line ends, or they are left out.
    public var headers: [(name: String, value: String)]
    /// What follows the headers.
    public var body: Body
    /// Called once the answer was sent, or its connection broke, on a thread of the server, so it
    /// must be quick.
    ///
    /// Not called for an answer that is given immediately, such as a refusal.
    public var whenGone: (@Sendable () -> Void)?

    /// What follows the headers of an answer.
    public enum Body: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// A part of an open file, sent by the kernel (`sendfile`).
        case file(HTTPFile)
        /// Bytes that arrive over time, until the stream is finished.
        case stream(HTTPStream)
    }

    /// An answer of these parts.
    public init(
        status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer that is a text, with its media type.
    public init(status: Int, type: String, text: String) {
        self.init(
            status: status, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
    }

    /// The answer with another header.
    public func with(_ name: String, _ value: String) -> HTTPResponse {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }
}
