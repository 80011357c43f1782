/// Answers HTTP requests.
public protocol HTTPHandler: Sendable {
    /// Decides whether and where a request's body is received; called on a server's thread, so it
    /// must be quick.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission

    /// Answers a request without a body immediately, on a server's thread, so it must be quick; nil
    /// to call ``respond(to:)``.
    ///
    /// Such an answer need not pass between threads, which takes long on a busy machine.
    func answerAtOnce(_ head: HTTPRequestHead) -> HTTPResponse?

    /// Answers a request that has arrived completely.
    func respond(to request: HTTPRequest) async -> HTTPResponse
}

extension HTTPHandler {
    /// Returns nil by default: no request is answered immediately.
    public func answerAtOnce(_ head: HTTPRequestHead) -> HTTPResponse? { nil }
}

/// The decision about a request's body: its destination, or a refusal.
public enum HTTPAdmission: Sendable {
    /// The body goes into memory, up to that many bytes; more is answered with 413.
    case memory(limit: Int)
    /// The body goes into a new file that only its owner can read, up to that many bytes; a longer
    /// one is answered with 413, and the file is removed.
    ///
    /// `grow` decides whether this many more bytes may be written; `drop` is called when the file
    /// of an incomplete body was removed.
    case file(
        path: String, limit: Int, grow: @Sendable (Int) -> Bool = { _ in true },
        drop: @Sendable () -> Void = {})
    /// The body is not received; this answer is sent before any of it is read.
    case refused(HTTPResponse)
}
