/// Why another host did not do what was asked.
public struct HostFailure: Error, Hashable, Sendable {
    /// What sort of failure it is.
    public enum Code: Hashable, Sendable {
        /// The address, or what defines trust, can't be used.
        case badAddress
        /// No one answers there.
        case unreachable
        /// The machine that answers can't prove that it is the host.
        case untrusted
        /// The machine that answers is not a Copystand host, or sends invalid data.
        case notCopystand
        /// The host asks for a token, or does not take this one.
        case noToken
        /// The host was reached, and then no longer.
        case cut
        /// The host restarted, and no longer runs the job.
        case jobGone
        /// The host refused; this is its own code, such as `no-such-device`, and the answer's
        /// status.
        case refused(String, status: Int)
    }

    /// What sort of failure it is.
    public let code: Code
    /// What failed, with the address, and what to do next.
    public let message: String

    /// A failure for people to read.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
