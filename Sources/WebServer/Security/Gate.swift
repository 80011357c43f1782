import HTTPServer

/// Lets in who has a token: as `Authorization: Bearer …`, or in the cookie that a browser was given for it.
///
/// Tries are not counted: a token of 256 random bits can't be guessed, and whoever counts tries can be made to lock people out.
struct Gate: Sendable {
    /// The cookie's name.
    static let cookie = "copystand"

    /// Whose tokens count.
    let tokens: AccessTokens
    /// True where the host speaks TLS, so that a browser never sends the cookie without.
    let isSecure: Bool

    /// Lets a request through, or not.
    ///
    /// - Throws: ``Problem`` 401.
    func check(_ head: HTTPRequestHead) throws(Problem) {
        try check(Self.token(in: head) ?? "")
    }

    /// Lets a token through, or not.
    ///
    /// - Throws: ``Problem`` 401.
    func check(_ token: String) throws(Problem) {
        guard tokens.allows(token) else {
            throw Problem(
                401, "no-token", "No token",
                "This host asks for a token. Make one on its machine with: copystand token add NAME"
            )
        }
    }

    /// The header that gives a browser its cookie, or takes it back.
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
}
