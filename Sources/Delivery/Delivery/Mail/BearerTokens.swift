import FoundationEssentials
import Synchronization

/// Tokens that let in for an hour or so, got from a refresh token (RFC 6749, 6), and kept until
/// shortly before they end.
final class BearerTokens: Sendable {
    static let shared = BearerTokens()
    private let kept = Mutex<[String: (token: String, end: Double)]>([:])

    /// What lets in now.
    ///
    /// - Throws: ``Obstacle`` when the service that gives tokens does not.
    func token(_ definition: SinkDefinition, _ tools: CourierTools) throws(Obstacle) -> String {
        let given = definition.token ?? ""
        guard let url = definition.parameter("token-url") else { return given }
        let known = kept.withLock { $0[given] }
        if let known, known.end > tools.now() { return known.token }
        var fields = [
            ("grant_type", "refresh_token"), ("refresh_token", given),
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
        let json = try? JSONDecoder().decode(JSONAnswer.self, from: Data(answer.body))
        guard answer.status == 200, let token = json?["access_token"]?.text, !token.isEmpty else {
            let words = "no token came: \(answer.status)\(ForeignWords.told(answer.excerpt))"
            throw Obstacle(
                (400..<500).contains(answer.status) && answer.status != 429
                    ? .refused("\(words). Sign in anew") : .later(words, after: nil))
        }
        let life = json?["expires_in"]?.words.flatMap(Double.init) ?? 300
        // A minute less, so that it does not end on its way.
        let end = tools.now() + max(0, min(life, 86_400) - 60)
        kept.withLock { $0[given] = (token, end) }
        return token
    }
}
