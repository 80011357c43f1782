public import Glibc

// For listings and clean-ups, which leave out what they can't read. To decide that something is
// done, or may be removed, use the calls that throw.
extension GuardedFolder {
    /// A folder that a person or a setting has named; nil if it can't be opened.
    public static func ifUsable(at path: String) -> GuardedFolder? {
        try? GuardedFolder.folder(at: path)
    }

    /// A folder inside; nil if it can't be opened.
    public func ifUsable(_ name: String) -> GuardedFolder? { try? folder(name) }

    /// The names in the folder; none if it can't be read.
    public var listedNames: [String] { (try? names()) ?? [] }

    /// The entry with this name; nil if there is none, or it can't be examined.
    public func entry(_ name: String) -> stat? { try? status(name) }

    /// The status of the regular file with this name; nil for anything else.
    public func file(_ name: String) -> stat? {
        entry(name).flatMap { $0.st_mode & S_IFMT == S_IFREG ? $0 : nil }
    }

    /// Removes a file that is no longer needed; ignores a failure.
    public func discard(_ name: String) { try? remove(name) }
}

/// The value of `body`; nil if what it reads is missing.
///
/// - Throws: the errors of `body`, except ``GuardedFileError`` `missing`.
public func ifPresent<Value>(
    _ body: () throws(GuardedFileError) -> Value
) throws(GuardedFileError) -> Value? {
    do throws(GuardedFileError) { return try body() } catch {
        guard error.code == .missing else { throw error }
        return nil
    }
}
