import Glibc
import HTTPServer

/// Gives access to clients with a token: as `Authorization: Bearer …`, or in a browser's cookie.
final class Gate: Sendable {
    /// The cookie's name.
    static let cookie = "copystand"

    /// The valid tokens.
    let tokens: AccessTokens
    /// Wrong tokens, by the client's address.
    let wrongTokens: WrongTokens
    /// The endless answers to signed-in clients.
    let streams: OpenStreams
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
        streams = OpenStreams(tokens: tokens)
        codes = SignInCodes(now: now)
    }

    /// Exchanges a code for a new token, named after the browser and the day.
    ///
    /// A wrong code counts as a wrong token.
    ///
    /// - Parameters:
    ///   - peer: the client's address.
    ///   - browser: the browser's own description of itself.
    /// - Throws: ``Problem`` 401 `code-expired`, or 429 after too many wrong tokens.
    func signIn(code: String, from peer: String, browser: String?) throws -> String {
        let sha256 = AccessTokens.hash(code)
        if let seconds = wrongTokens.wait(for: sha256, from: peer) {
            throw Self.tooMany(seconds)
        }
        guard let scope = codes.use(code) else {
            wrongTokens.wrong(sha256, from: peer)
            throw Problem(
                401, "code-expired",
                detail:
                    "A code signs in one browser, within 15 minutes. Make another under Settings, or restart the host to see one."
            )
        }
        wrongTokens.right(sha256, from: peer)
        let names = Set(try tokens.all().map(\.name))
        let base = BrowserName.name(of: browser)
        let name = (1...).lazy.map { $0 == 1 ? base : "\(base) \($0)" }.first {
            !names.contains($0)
        }
        return try tokens.make(name: name ?? base, scope: scope)
    }

    private static func tooMany(_ seconds: Int) -> Problem {
        Problem(
            429, "too-many-wrong-tokens",
            detail:
                "Too many wrong tokens came from this address, so this one was not checked. Try again in \(seconds) s.",
            retryAfter: seconds)
    }

    /// Checks a request's token.
    ///
    /// - Throws: ``Problem`` 401, or 429 after too many wrong tokens.
    @discardableResult
    func check(_ head: HTTPRequestHead) throws(Problem) -> AccessTokens.Grant {
        // A client without a token is not guessing.
        guard let token = Self.token(in: head), !token.isEmpty else { throw Self.noToken }
        return try check(token, from: head.peer)
    }

    /// Checks a token.
    ///
    /// - Parameter peer: the client's address.
    /// - Throws: ``Problem``: 401 `wrong-token`, or 429 after too many wrong tokens.
    @discardableResult
    func check(_ token: String, from peer: String) throws(Problem) -> AccessTokens.Grant {
        let sha256 = AccessTokens.hash(token)
        if let seconds = wrongTokens.wait(for: sha256, from: peer) {
            throw Self.tooMany(seconds)
        }
        guard let grant = tokens.grant(forHash: sha256) else {
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
        guard grant.scope >= scope else {
            var problem = Problem(
                403, "scope-too-narrow",
                detail:
                    "This needs a token of scope '\(scope.rawValue)'; this one has '\(grant.scope.rawValue)'. Ask the host's administrator, or make one on its machine with: copystand token add NAME --scope \(scope.rawValue)"
            )
            problem.scope = scope
            throw problem
        }
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
    func cookie(_ token: String?) -> String {
        "\(Self.cookie)=\(token ?? ""); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(token == nil ? 0 : 31_536_000)"
            + (isSecure ? "; Secure" : "")
    }

    private static func token(in head: HTTPRequestHead) -> String? {
        if let header = head.header("Authorization") {
            let parts = header.split(separator: " ")
            return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
        }
        let cookies = head.header("Cookie")?.split(separator: ";") ?? []
        return cookies.map { $0.drop { $0 == " " } }.first { $0.hasPrefix(cookie + "=") }
            .map { String($0.dropFirst(cookie.count + 1)) }
    }

    /// Seconds since the machine was started (`CLOCK_MONOTONIC`).
    static let uptime: @Sendable () -> Double = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
