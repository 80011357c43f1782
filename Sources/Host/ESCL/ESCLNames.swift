/// The names that eSCL and PWG use.
public enum ESCLNames {
    static let escl = "http://schemas.hp.com/imaging/escl/2011/05/03"
    static let pwg = "http://www.pwg.org/schemas/2010/12/sm"
    static let namespaces: Set<String> = [escl, pwg]
    /// The version of eSCL that is spoken.
    public static let version = "2.63"
}

/// What is wrong with a document of a client, or what keeps it from being read.
public struct ESCLError: Error, Hashable, Sendable {
    /// What is wrong, and what to do.
    public let message: String
    /// True when it is not the client's fault.
    public let isOurs: Bool

    /// An error of this message.
    public init(_ message: String, isOurs: Bool = false) {
        self.message = message
        self.isOurs = isOurs
    }
}
