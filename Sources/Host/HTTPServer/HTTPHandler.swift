/// What answers requests.
public protocol HTTPHandler: Sendable {
    /// Says whether and where to receive a request's body; called on a server's thread, so it must
    /// be quick.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission

    /// Answers a request without a body immediately, on a server's thread, so it must be quick; nil
    /// leaves it to ``respond(to:)``.
    ///
    /// An answer that is ready then does not pass between threads, which takes long on a busy
    /// machine.
    func answerAtOnce(_ head: HTTPRequestHead) -> HTTPResponse?

    /// Answers a request that has arrived in full.
    func respond(to request: HTTPRequest) async -> HTTPResponse
}

extension HTTPHandler {
    /// By default, no answer is ready.
    public func answerAtOnce(_ head: HTTPRequestHead) -> HTTPResponse? { nil }
}
