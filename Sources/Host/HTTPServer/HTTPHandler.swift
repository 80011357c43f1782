/// What answers requests.
public protocol HTTPHandler: Sendable {
    /// Says whether and where to receive a request's body; called on a server's thread, so it must
    /// be quick.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission

    /// Answers a request that has arrived in full.
    func respond(to request: HTTPRequest) async -> HTTPResponse
}
