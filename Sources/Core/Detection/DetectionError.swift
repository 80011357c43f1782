/// Why a picture could not be searched for pages.
public struct DetectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What sort of failure it is.
    public enum Code: Hashable, Sendable {
        /// The file of weights is damaged, of another version, or describes another kind of
        /// network.
        case weights
    }

    /// What sort of failure it is.
    public let code: Code
    /// What failed, with the value it failed on.
    public let message: String

    /// An error for people to read.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
