import FileNames
import FoundationEssentials
import HTTPClient
import Synchronization

/// Access tokens, valid for an hour or so, which are obtained with a refresh token (RFC 6749, 6)
/// and stored until shortly before they expire.
///
/// The issuing service may replace the refresh token as well; the new one is then stored with the
/// sink.
final class BearerTokens: Sendable {
    static let shared = BearerTokens()

    private struct Kept {
        var token: String
        var end: Double
        /// The token that has replaced the refresh token.
        var refresh: String?
        var isStored = true
    }

    /// The seconds for which a token is used at most.
    private static let longest = 86_400.0
    private let kept = Mutex<[String: Kept]>([:])

    /// A token that is valid now.
    ///
    /// - Throws: ``Obstacle`` when the service issues no token, or when a new refresh
    ///   token can't be kept.
    func token(_ definition: SinkDefinition, _ tools: DeliveryTools) throws(Obstacle) -> String {
        let given = definition.token ?? ""
        guard let url = definition.parameter("token-url") else { return given }
        var known =
            kept.withLock { $0[given] } ?? Kept(token: "", end: -.infinity)
        // The clock may have been set back since the token arrived.
        if !(0...Self.longest).contains(known.end - tools.now()) {
            known = try ask(url, definition, tools, refresh: known.refresh ?? given)
            kept.withLock { $0[given] = known }
        }
        if let refresh = known.refresh, !known.isStored {
            do {
                try tools.replaceToken(given, refresh)
            } catch {
                throw Obstacle(
                    .later("the new refresh token can't be kept: \(error.message)", after: nil))
            }
            known.isStored = true
            kept.withLock { kept in
                kept[given] = known
                kept[refresh] = Kept(token: known.token, end: known.end)
            }
        }
        return known.token
    }

    /// Requests a token for a refresh token.
    private func ask(
        _ url: String, _ definition: SinkDefinition, _ tools: DeliveryTools, refresh: String
    ) throws(Obstacle) -> Kept {
        var fields = [
            ("grant_type", "refresh_token"), ("refresh_token", refresh),
            ("client_id", definition.parameter("client-id") ?? ""),
        ]
        if let secret = definition.password { fields.append(("client_secret", secret)) }
        let form = fields.map { "\($0.0)=\(WebAddress.encoded($0.1))" }.joined(separator: "&")
        var request = WebRequest(
            "POST", url,
            body: .bytes(Array(form.utf8), mediaType: "application/x-www-form-urlencoded"))
        request.secrets = definition.secrets
        let answer: WebAnswer
        do {
            answer = try tools.client.send(request)
        } catch {
            throw Obstacle(
                error.isPermanent
                    ? .refused(error.message) : .later(error.message, after: error.after))
        }
        let json = JSONValue(answer.body)
        guard answer.status == 200, let token = json?["access_token"]?.text, !token.isEmpty else {
            // A success may hold new tokens, so it is not quoted.
            let said = answer.status < 300 ? "" : ForeignWords.quoted(answer.excerpt)
            let words = "no token arrived: \(answer.status)\(said)"
            throw Obstacle(
                (400..<500).contains(answer.status) && answer.status != 429
                    ? .refused("\(words). Sign in again") : .later(words, after: nil))
        }
        let said = json?["expires_in"]?.words.flatMap(Double.init) ?? 300
        let life = said.isFinite ? said : 300
        // The time is shortened by a minute, so that the token does not expire in transit.
        let end = tools.now() + max(0, min(life, Self.longest) - 60)
        let new = json?["refresh_token"]?.text.flatMap { $0.isEmpty || $0 == refresh ? nil : $0 }
        guard let new else {
            return Kept(
                token: token, end: end, refresh: refresh == definition.token ? nil : refresh)
        }
        return Kept(token: token, end: end, refresh: new, isStored: false)
    }
}
