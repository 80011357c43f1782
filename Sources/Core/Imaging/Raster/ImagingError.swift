/// The error for a picture that could not be read, written or changed.
public struct ImagingError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// The bytes are not a picture in that format.
        case damagedData
        /// The operation does not accept this format or pixel form.
        case unsupported
        /// The picture is larger than the operation's limit.
        case tooLarge
        /// Memory ran out, or a library failed without a reason.
        case libraryFailed
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
}
