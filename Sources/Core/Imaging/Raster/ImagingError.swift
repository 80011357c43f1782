/// Why a picture could not be read, written or changed.
public struct ImagingError: Error, Hashable, Sendable {
    /// What sort of failure it is.
    public enum Code: Hashable, Sendable {
        /// The bytes are not a picture of that format.
        case damagedData
        /// The operation does not accept this format or pixel form.
        case unsupported
        /// The picture is larger than the operation's limit.
        case tooLarge
        /// Memory ran out, or a library failed without saying why.
        case libraryFailed
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
}
