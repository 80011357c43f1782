/// What happens to a change of the tokens that can't be saved.
enum UnsavedChange {
    /// Nothing has changed.
    case isLost
    /// It holds in this process, and its caller gets the error.
    case holdsHere
    /// On a full disk it holds in this process, which is enough; otherwise as ``holdsHere``.
    case isKept
}

/// The changes that could not be saved: they hold until the next one that can be, which saves them
/// as well, or until the process ends.
struct UnsavedTokens {
    private var added = AccessTokens.Stored()
    /// The hashes of tokens and sessions that were removed.
    private var removed: Set<String> = []

    init() {}

    /// The changes from the file's contents.
    init(from saved: AccessTokens.Stored, to stored: AccessTokens.Stored) {
        let (before, after) = (saved.hashes, stored.hashes)
        added.tokens = stored.tokens.filter { !before.contains($0.sha256) }
        added.sessions = stored.sessions.filter { !before.contains($0.sha256) }
        removed = before.subtracting(after)
    }

    /// The file's contents with the changes.
    func applied(to saved: AccessTokens.Stored) -> AccessTokens.Stored {
        var stored = saved
        let known = saved.hashes
        stored.tokens += added.tokens.filter { !known.contains($0.sha256) }
        stored.sessions += added.sessions.filter { !known.contains($0.sha256) }
        stored.tokens.removeAll { removed.contains($0.sha256) }
        stored.sessions.removeAll { removed.contains($0.sha256) }
        return stored
    }
}

extension AccessTokens.Stored {
    fileprivate var hashes: Set<String> { Set(tokens.map(\.sha256) + sessions.map(\.sha256)) }
}
