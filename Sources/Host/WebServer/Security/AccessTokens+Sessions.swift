import Documents
import FoundationEssentials
import Glibc

/// The sessions of browsers: each has a cookie of its own, so that signing out revokes what the
/// browser has, and leaves the token to those who know it.
///
/// On a full disk, a session that begins is kept until this process ends.
extension AccessTokens {
    /// A browser that signed in.
    struct Session: Codable, Sendable {
        /// The hash of its cookie.
        var sha256: String
        /// The hash of its token.
        var token: String
        /// The end of its cookie, in seconds since 1970.
        var end: Int
    }

    /// The seconds for which a cookie is valid: a year.
    static let life = 31_536_000
    /// The maximum number of sessions of a token; a further one replaces the oldest.
    static let mostSessions = 256

    /// Begins a session with the token of this hash.
    ///
    /// - Parameter old: the browser's earlier cookie, whose session ends; nil for none.
    /// - Returns: the session's cookie; nil when the token was removed meanwhile.
    func beginSession(withHash sha256: String, replacing old: String?) throws -> String? {
        let cookie = Self.secret()
        return try change(unsaved: .isKept) { stored in
            guard stored.grant(forHash: sha256) != nil else { return nil }
            if let old { stored.end(Self.hash(old)) }
            stored.begin(Self.hash(cookie), sha256)
            return cookie
        }
    }

    /// Begins a session of a browser without a token, and makes a token for it that nobody knows.
    ///
    /// - Parameters:
    ///   - base: the token's name, with a number after it when another has that name.
    ///   - old: the browser's earlier cookie, whose session ends; nil for none.
    /// - Returns: the session's cookie.
    func beginSession(
        ofBrowser base: String, scope: AccessScope, replacing old: String?
    ) throws -> String {
        let (text, cookie) = (Self.secret(), Self.secret())
        return try change(unsaved: .isKept) { stored in
            if let old { stored.end(Self.hash(old)) }
            let names = Set(stored.tokens.map(\.name))
            let name = (1...).lazy.map { $0 == 1 ? base : "\(base) \($0)" }.first {
                !names.contains($0)
            }
            let token = Self.token(name ?? base, scope, .all, text: text, isBrowser: true)
            stored.tokens.append(token)
            stored.begin(Self.hash(cookie), token.sha256)
            return cookie
        }
    }

    /// Ends the session with this cookie, if any; the token of a browser that signed in
    /// with a code ends with it.
    func endSession(_ cookie: String) throws {
        let sha256 = Self.hash(cookie)
        guard current().sessions.contains(where: { $0.sha256 == sha256 }) else { return }
        try change(unsaved: .holdsHere) { $0.end(sha256) }
    }

    /// The present rights of the session whose cookie has this hash; nil for an unknown or ended
    /// one.
    func grant(forSession sha256: String) -> Grant? { current().grant(forSession: sha256) }

    /// The present rights of a client that had some; nil when its token or session has ended.
    func present(_ grant: Grant) -> Grant? {
        guard let session = grant.session else { return self.grant(forHash: grant.sha256) }
        return self.grant(forSession: session)
    }
}

extension AccessTokens.Stored {
    func grant(forHash sha256: String) -> AccessTokens.Grant? {
        Self.find(sha256, in: tokens, \.sha256).map {
            AccessTokens.Grant(
                name: $0.name, scope: $0.scope, sees: $0.sees, sha256: sha256,
                isBrief: $0.isBrief)
        }
    }

    func grant(forSession sha256: String) -> AccessTokens.Grant? {
        guard let session = Self.find(sha256, in: sessions, \.sha256), time(nil) < session.end
        else {
            return nil
        }
        var grant = grant(forHash: session.token)
        grant?.session = sha256
        return grant
    }

    /// Finds the element with a hash; every hash is compared to its end, so that the time reveals
    /// nothing.
    private static func find<Item>(
        _ sha256: String, in items: [Item], _ hash: (Item) -> String
    ) -> Item? {
        let wanted = Array(sha256.utf8)
        return items.reduce(nil) { found, item in
            let other = Array(hash(item).utf8)
            let isSame =
                other.count == wanted.count
                && zip(other, wanted).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
            return isSame ? item : found
        }
    }

    mutating func begin(_ session: String, _ token: String) {
        let others = sessions.filter { $0.token == token }
        let excess = Set(
            others.prefix(max(0, others.count + 1 - AccessTokens.mostSessions)).map(\.sha256))
        sessions.removeAll { excess.contains($0.sha256) }
        sessions.append(
            AccessTokens.Session(
                sha256: session, token: token, end: time(nil) + AccessTokens.life))
    }

    mutating func end(_ session: String) {
        guard let ended = sessions.first(where: { $0.sha256 == session }) else { return }
        sessions.removeAll { $0.sha256 == session }
        if let token = tokens.first(where: { $0.sha256 == ended.token }), token.isBrowser {
            remove(token)
        }
    }

    mutating func remove(_ token: AccessTokens.Token) {
        tokens.removeAll { $0.sha256 == token.sha256 }
        sessions.removeAll { $0.token == token.sha256 }
    }
}
