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
