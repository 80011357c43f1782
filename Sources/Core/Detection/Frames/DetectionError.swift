/// The error for a picture that could not be searched for pages.
public struct DetectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// The file of weights is damaged, of another version, or describes another kind of
        /// network.
        case weights
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, with the value that caused it.
    public let message: String

    /// An error with a message for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
