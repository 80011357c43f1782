import Glibc
import HTTPServer

/// Gives access to clients with a token (`Authorization: Bearer …`), and to browsers with the
/// cookie of a session.
final class Gate: Sendable {
    /// The cookie's name.
    static let cookie = "copystand"

    /// The valid tokens.
    let tokens: AccessTokens
    /// Wrong tokens, by the client's address.
    let wrongTokens: WrongTokens
    /// The long answers to signed-in clients.
    let answers: OpenAnswers
    /// Codes that sign in one browser each.
    let codes: SignInCodes
    let isSecure: Bool

    /// A gate for these tokens.
    ///
    /// - Parameters:
    ///   - isSecure: true if the host uses TLS, so that a browser never sends the cookie without
    ///     it.
    ///   - now: the seconds of a clock that can't be set.
    ///   - tell: gets lines for the log.
    init(
        tokens: AccessTokens, isSecure: Bool, now: @escaping @Sendable () -> Double = Gate.uptime,
        tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.tokens = tokens
        self.isSecure = isSecure
        wrongTokens = WrongTokens(now: now, tell: tell)
        answers = OpenAnswers(tokens: tokens)
        codes = SignInCodes(now: now) { maker in
            tokens.present(maker).map { $0.scope == .admin } ?? false
        }
    }

    /// Exchanges a code for a session with a token of its own, which has the browser's name.
    ///
    /// A wrong code counts as a wrong token. The code is used up when the session is saved.
    ///
    /// - Parameter head: the request, whose `User-Agent` names the browser.
    /// - Returns: the session's cookie.
    /// - Throws: ``Problem`` 401 `code-expired`, or 429 after too many wrong tokens; an error when
    ///   the session can't be saved.
    func signIn(code: String, _ head: HTTPRequestHead) throws -> String {
        let (sha256, peer) = (AccessTokens.hash(code), head.peer)
        if let seconds = wrongTokens.wait(for: sha256, from: peer) {
            throw Self.tooMany(seconds)
        }
        let cookie = try codes.use(code) { scope in
            try tokens.beginSession(
                ofBrowser: BrowserName.name(of: head.header("User-Agent")), scope: scope,
                replacing: Self.cookie(in: head))
        }
        answers.endRevoked()
        guard let cookie else {
            wrongTokens.wrong(sha256, from: peer)
            throw Problem(
                401, "code-expired",
                detail:
                    "A code signs in one browser, within 15 minutes. Make another under Settings, or restart the host to see one."
            )
        }
        wrongTokens.right(sha256, from: peer)
        return cookie
    }

    /// Exchanges a token for a session.
    ///
    /// - Returns: the session's cookie.
    /// - Throws: ``Problem``: 401 `wrong-token`, or 429 after too many wrong tokens; an error when
    ///   the session can't be saved.
    func signIn(token: String, _ head: HTTPRequestHead) throws -> String {
        let grant = try check(.token(token), from: head.peer)
        let cookie = try tokens.beginSession(
            withHash: grant.sha256, replacing: Self.cookie(in: head))
        answers.endRevoked()
        guard let cookie else { throw Self.wrongToken }
        return cookie
    }

    /// Ends the session of a browser, with its cookie and everything being sent to it.
    ///
    /// - Throws: an error when the end can't be saved.
    func signOut(_ head: HTTPRequestHead) throws {
        guard let cookie = Self.cookie(in: head) else { return }
        defer { answers.endRevoked() }
        try tokens.endSession(cookie)
    }

    /// Removes a token, with its sessions and everything being sent to its clients.
    ///
    /// - Throws: `DeliveryError` `noSuchItem`; an error when the end can't be saved.
    func remove(token name: String) throws {
        defer { answers.endRevoked() }
        try tokens.remove(name: name)
    }

    private static func tooMany(_ seconds: Int) -> Problem {
        Problem(
            429, "too-many-wrong-tokens",
            detail:
                "Too many wrong tokens came from this address, so this one was not checked. Try again in \(seconds) s.",
            retryAfter: seconds)
    }

    /// The credentials of a client.
    private enum Key {
        case token(String)
        case cookie(String)

        var text: String {
            switch self {
            case .token(let text), .cookie(let text): text
            }
        }
    }

    /// Checks a request's token or cookie.
    ///
    /// - Throws: ``Problem`` 401, or 429 after too many wrong tokens.
    @discardableResult
    func check(_ head: HTTPRequestHead) throws(Problem) -> AccessTokens.Grant {
        // A client without a token is not guessing.
        guard let key = Self.key(in: head) else { throw Self.noToken }
        return try check(key, from: head.peer)
    }

    /// Checks a token or a cookie.
    ///
    /// - Parameter peer: the client's address.
    /// - Throws: ``Problem``: 401 `wrong-token`, or 429 after too many wrong tokens.
    private func check(_ key: Key, from peer: String) throws(Problem) -> AccessTokens.Grant {
        let sha256 = AccessTokens.hash(key.text)
        if let seconds = wrongTokens.wait(for: sha256, from: peer) {
            throw Self.tooMany(seconds)
        }
        let found =
            switch key {
            case .token: tokens.grant(forHash: sha256)
            case .cookie: tokens.grant(forSession: sha256)
            }
        guard let grant = found else {
            wrongTokens.wrong(sha256, from: peer)
            throw Self.wrongToken
        }
        wrongTokens.right(sha256, from: peer)
        return grant
    }

    /// Checks a request for a route that needs a scope.
    ///
    /// - Throws: ``Problem`` 401, 403 or 429.
    func check(_ head: HTTPRequestHead, needs scope: AccessScope) throws(Problem)
        -> AccessTokens.Grant
    {
        let grant = try check(head)
        try grant.scope.check(scope)
        return grant
    }

    private static let noToken = Problem(
        401, "no-token",
        detail: "This host asks for a token. Make one on its machine with: copystand token add NAME"
    )

    private static let wrongToken = Problem(
        401, "wrong-token",
        detail:
            "This host does not know the token, or it was removed. Check it for typing errors, or make another on its machine with: copystand token add NAME"
    )

    /// The header that sets or deletes a browser's cookie.
    ///
    /// Scripts can't read it, and no other site's page can make a browser send it.
    ///
    /// - Parameter value: the session's cookie; nil to delete the browser's.
    func cookie(_ value: String?) -> String {
        "\(Self.cookie)=\(value ?? ""); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(value == nil ? 0 : AccessTokens.life)"
            + (isSecure ? "; Secure" : "")
    }

    private static func key(in head: HTTPRequestHead) -> Key? {
        guard let header = head.header("Authorization") else {
            return cookie(in: head).map(Key.cookie)
        }
        let parts = header.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return .token(String(parts[1]))
    }

    /// The request's cookie of a session; nil for none.
    private static func cookie(in head: HTTPRequestHead) -> String? {
        let cookies = head.header("Cookie")?.split(separator: ";") ?? []
        return cookies.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(cookie + "=") }
            .map { String($0.dropFirst(cookie.count + 1)) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Seconds since the machine was started (`CLOCK_MONOTONIC`).
    static let uptime: @Sendable () -> Double = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
