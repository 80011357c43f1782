/// Why a folder or small file of the user's can't be used.
public struct UserFileError: Error, Hashable, Sendable {
    /// What sort of failure it is.
    public enum Code: Hashable, Sendable {
        /// Neither the environment nor the password database names a home folder.
        case noHome
        /// The folder that was named is missing, is a file, or can't be entered or made.
        case folderUnusable
        /// Someone else owns it or may write to it, or, for a secret, read it.
        case untrusted
        /// No space is left.
        case noSpace
        /// Reading, writing or locking failed.
        case inputOutput
    }

    /// What sort of failure it is.
    public let code: Code
    /// What happened, with the path, and what to do next: whole sentences.
    public let message: String

    /// An error for people to read.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
