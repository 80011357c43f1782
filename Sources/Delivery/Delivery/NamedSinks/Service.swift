import FileNames
import FoundationEssentials
import HTTPClient

/// A service that receives documents over HTTP: its address, the credentials, and the meaning of
/// its answers.
struct Service: Sendable {
    let address: WebAddress
    let client: any WebClient
    /// The present time in seconds since 1970.
    let now: @Sendable () -> Double
    /// Replaces secrets in shown or stored parts of this service's answers.
    private(set) var secrets: SecretRedactor
    private let headers: [(name: String, value: String)]
    private let signing: WebRequest.Signing?

    /// The service of a definition.
    ///
    /// - Parameters:
    ///   - scheme: the word before the token in `Authorization`.
    ///   - signing: signs requests, instead of `Authorization`.
    /// - Throws: ``DeliveryError`` `invalidOption`.
    init(
        _ definition: SinkDefinition, scheme: String = "Bearer", signing: WebRequest.Signing? = nil,
        client: any WebClient,
        now: @escaping @Sendable () -> Double
    ) throws(DeliveryError) {
        address = try WebAddress(
            sink: definition.url ?? "", schemes: SinkDefinition.Kind.webSchemes)
        self.client = client
        self.now = now
        secrets = definition.secrets
        var headers = (definition.headers ?? [:]).sorted { $0.key < $1.key }.map {
            (name: $0.key, value: $0.value)
        }
        self.signing = signing
        if signing != nil {
            // The keys sign, and are not sent.
        } else if let token = definition.token {
            headers.append(("Authorization", "\(scheme) \(token)"))
        } else if let user = definition.user {
            let pair = Data("\(user):\(definition.password ?? "")".utf8)
            headers.append(("Authorization", "Basic \(pair.base64EncodedString())"))
        }
        self.headers = headers
    }

    /// The same service with other secrets.
    func keeping(_ secrets: SecretRedactor) -> Service {
        var service = self
        service.secrets = secrets
        return service
    }

    /// Sends a request with the credentials.
    func send(
        _ method: String, _ url: String, headers extra: [(name: String, value: String)] = [],
        body: WebRequest.Body = .none, hashing: Int? = nil
    ) throws(HTTPFailure) -> WebAnswer {
        var request = WebRequest(method, url, headers: headers + extra, body: body)
        request.hashing = hashing
        request.signing = signing
        request.secrets = secrets
        return try client.send(request)
    }

    /// The result of a delivery after a failed exchange.
    func attempt(after failure: HTTPFailure) -> DeliveryAttempt {
        failure.isPermanent
            ? .refused(failure.message) : .later(failure.message, after: failure.after)
    }

    /// The result of a delivery after an answer that is not a success.
    func attempt(after response: WebAnswer) -> DeliveryAttempt {
        let said = ForeignWords.quoted(response.excerpt)
        let words = "\(address.origin) answered \(response.status)\(said)"
        switch response.status {
        case 401, 403:
            return .refused(
                "\(words). Correct the token or the password, then: copystand outbox retry")
        case 404, 410:
            return .refused("\(words). Check the sink's address \(address.shown)")
        case 413: return .refused("\(words). The document is too large for the service")
        case 408, 423, 425, 429, 500...599:
            return .later(words, after: patience(response))
        default: return .refused(words)
        }
    }

    /// Seconds for which an answer asks to wait.
    func patience(_ response: WebAnswer) -> Double? {
        response.headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now()) }
    }

    /// Checks that the service answers a harmless request with a success.
    func test(
        _ method: String, _ url: String, allowed: Set<Int> = []
    ) throws(DeliveryError) -> String {
        try test(allowed: allowed) { () throws(HTTPFailure) in try send(method, url) }
    }

    /// Checks that the answer to a request is a success, and says so in words for people.
    func test(
        allowed: Set<Int> = [], _ request: () throws(HTTPFailure) -> WebAnswer
    ) throws(DeliveryError) -> String {
        let response: WebAnswer
        do {
            response = try request()
        } catch {
            throw DeliveryError(.unreachable, error.message)
        }
        guard (200..<300).contains(response.status) || allowed.contains(response.status) else {
            throw Obstacle(attempt(after: response)).error
        }
        return "\(address.origin) answers"
    }
}

extension WebRequest.Part {
    /// A part with a file of a document, under its own name unless another is given.
    static func file(
        _ part: String, _ file: OutboxItem.File, in folder: String, as name: String? = nil
    ) -> Self {
        Self(
            name: part,
            content: .file(
                path: folder + "/" + file.name, name: name ?? file.name, mediaType: file.mediaType))
    }
}

extension SinkDefinition {
    /// Reads the document's data in an answer.
    func readFields(_ answer: JSONValue?, into item: inout OutboxItem) {
        for (name, path) in fields ?? [:] {
            if let words = answer?.value(at: path)?.words {
                item.fields[name] = String(words.prefix(4096))
            }
        }
    }
}
