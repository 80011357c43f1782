/// The reason why a user's folder or small file can't be used.
public struct UserFileError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: Hashable, Sendable {
        /// Neither the environment nor the password database names a home folder.
        case noHome
        /// The named folder is missing, is a file, or can't be entered or made.
        case folderUnusable
        /// Another user owns the file or may write to it, or may read a secret.
        case untrusted
        /// The disk has no space left.
        case noSpace
        /// The disk is mounted read-only.
        case readOnly
        /// Reading, writing or locking failed.
        case inputOutput
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, with the path, and the advice, in whole sentences.
    public let message: String

    /// An error with a message for people.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
