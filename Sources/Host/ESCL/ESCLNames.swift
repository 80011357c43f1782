/// The names that eSCL and PWG use.
public enum ESCLNames {
    static let escl = "http://schemas.hp.com/imaging/escl/2011/05/03"
    static let pwg = "http://www.pwg.org/schemas/2010/12/sm"
    static let namespaces: Set<String> = [escl, pwg]
    /// The spoken version of eSCL.
    public static let version = "2.63"
}

/// A mistake in a client's document, or a reason why it can't be read.
public struct ESCLError: Error, Hashable, Sendable {
    /// The mistake or the reason, and what to do.
    public let message: String
    /// True when the host, not the client, caused the error.
    public let isOurs: Bool

    /// An error with this message.
    public init(_ message: String, isOurs: Bool = false) {
        self.message = message
        self.isOurs = isOurs
    }
}
