/// The reason why a document could not be delivered.
public struct DeliveryError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// The ending names no known format.
        case unknownFormat
        /// The folder is missing.
        case folderMissing
        /// A file of that name already exists.
        case alreadyExists
        /// The user may not write there.
        case permissionDenied
        /// The disk has no space left.
        case noSpace
        /// Reading or writing failed.
        case inputOutput
        /// The document can't be put in this format.
        case unsupported
        /// There is no such option or kind of sink, or a value is out of range.
        case invalidOption
        /// The outbox has no item with that name.
        case noSuchItem
        /// Another process works on it.
        case busy
        /// A service can't be reached, or rejects the credentials.
        case unreachable
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, with the path, and the advice.
    public let message: String

    /// An error with a message for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
