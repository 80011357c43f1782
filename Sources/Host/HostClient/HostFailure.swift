/// The reason why another host did not carry out a request.
public struct HostFailure: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// The address, certificate or key can't be used.
        case badAddress
        /// No host answers at the address.
        case unreachable
        /// The machine that answers can't prove that it is the host.
        case untrusted
        /// The machine that answers is not a Copystand host, or sends invalid data.
        case notCopystand
        /// The host needs a token, or does not accept this one.
        case noToken
        /// The connection to the host was lost.
        case cut
        /// The host restarted, and the job no longer runs.
        case jobGone
        /// The host refused the request; the value is its own code, such as `no-such-device`, and
        /// the answer's status.
        case refused(String, status: Int)
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, with the address, and the advice.
    public let message: String

    /// A failure with a message for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
