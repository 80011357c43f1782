/// An answer to a request.
public struct HTTPResponse: Sendable {
    /// The status code, 200…599.
    public var status: Int
    /// The headers; a header is left out if its name or value has a line end.
    public var headers: [(name: String, value: String)]
    /// The body after the headers.
    public var body: Body
    /// Called when the answer was sent or its connection broke, on a server's thread, so it must be
    /// quick.
    ///
    /// It is not called for an answer before the handler's, such as a refusal.
    public var whenGone: (@Sendable () -> Void)?
    /// Ends the answer early; nil for one that is always sent to its end.
    ///
    /// It has no effect on an answer before the handler's.
    public var ending: AnswerEnding?

    /// The body after the headers.
    public enum Body: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// A part of an open file, sent by the kernel (`sendfile`).
        case file(HTTPFile)
        /// Bytes that arrive over time, until the stream is finished.
        case stream(HTTPStream)
    }

    /// An answer with these parts.
    public init(
        status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer with a text and its media type.
    public init(status: Int, type: String, text: String) {
        self.init(
            status: status, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
    }

    /// The answer with an additional header.
    public func with(_ name: String, _ value: String) -> HTTPResponse {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }
}
