/// What answers requests.
public protocol HTTPHandler: Sendable {
    /// Says whether and where to receive a request's body; called on a server's thread, so it must
    /// be quick.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission

    /// Answers a request without a body at once, on a server's thread, so it must be quick; nil
    /// leaves it to ``respond(to:)``.
    ///
    /// Spares an answer that is at hand the ways between threads, which take long on a busy
    /// machine.
    func answerAtOnce(_ head: HTTPRequestHead) -> HTTPResponse?

    /// Answers a request that has arrived in full.
    func respond(to request: HTTPRequest) async -> HTTPResponse
}

extension HTTPHandler {
    /// Nothing is at hand.
    public func answerAtOnce(_ head: HTTPRequestHead) -> HTTPResponse? { nil }
}
