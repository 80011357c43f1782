import Clocks
import HTTPClient
import FoundationEssentials

/// A connection to another host's HTTP API v1.
///
///     let host = HostConnection(try HostAddress("http://127.0.0.1:8470"))
///     let found = try host.get("/api/v1/search", ["q": "invoice"], as: SearchJSON.self)
///
/// The functions block, so call them on a thread that may wait. No data from the host is trusted:
/// sizes have limits, a larger answer is an error, and a redirect to another host is refused.
public struct HostConnection: Sendable {
    /// The host's address.
    public let address: HostAddress
    /// The seconds of silence after which the host counts as unreachable.
    public let patience: Int
    /// The clock for waits between attempts.
    var clock = ThreadClock.system
    private let token: String?
    var isLetInByToken: Bool { token != nil }
    private let trust: HTTPTrust
    /// Replaces our token in the host's texts.
    let secrets: SecretRedactor

    /// The maximum size of an answer other than a file in bytes, which is enough for the texts of
    /// a very long document.
    static let largestAnswer = 64 << 20

    /// A connection to a host; it sends nothing yet.
    ///
    /// - Parameters:
    ///   - token: the access token; nil if none is needed.
    ///   - authority: a PEM file with the host's certificate, or that of its signer; nil for
    ///     the system's authorities.
    ///   - key: `sha256//` and the SHA-256 of the host's key in base64, which is then checked
    ///     instead of any authority; nil for none.
    ///   - patience: the allowed seconds of silence, at least 1.
    /// - Throws: ``HostFailure`` `badAddress` for a certificate or key that can't be used.
    public init(
        _ address: HostAddress, token: String? = nil, authority: String? = nil, key: String? = nil,
        patience: Int = 60
    ) throws(HostFailure) {
        self.address = address
        self.token = token
        secrets = SecretRedactor([token].compactMap { $0 })
        self.patience = max(1, patience)
        trust = try Self.trust(address, authority, key)
    }

    private static func trust(
        _ address: HostAddress, _ authority: String?, _ key: String?
    ) throws(HostFailure) -> HTTPTrust {
        guard authority != nil || key != nil else { return .system }
        guard address.isSecure else {
            throw HostFailure(
                .badAddress,
                "\(address.text) has no certificate to check: give its address with https://, and start it with --tls."
            )
        }
        if let key {
            // SHA-256 has 32 bytes, which are 43 digits and a padding character.
            let digits = key.dropFirst("sha256//".count)
            guard key.hasPrefix("sha256//"), digits.utf8.count == 44,
                Data(base64Encoded: String(digits))?.count == 32
            else {
                throw HostFailure(
                    .badAddress,
                    "'\(key.prefix(100))' is not a key's hash: it should look like sha256//… with 44 characters, as 'copystand serve --tls' shows it when it starts."
                )
            }
            return .key(key)
        }
        guard let authority, FileManager.default.isReadableFile(atPath: authority) else {
            throw HostFailure(
                .badAddress,
                "The certificate '\(authority ?? "")' can't be read: name a PEM file.")
        }
        return .authority(file: authority)
    }

    // MARK: Asking

    /// Requests a value.
    ///
    /// - Throws: ``HostFailure``.
    public func get<Value: Decodable>(
        _ path: String, _ query: [(name: String, value: String)] = [],
        as type: Value.Type = Value.self
    ) throws(HostFailure) -> Value {
        try decoded(send("GET", path + Self.words(query)), type, path)
    }

    /// Sends a request with a body, and returns the answer's value.
    ///
    /// - Throws: ``HostFailure``.
    public func post<Value: Decodable>(
        _ path: String, _ body: some Encodable, as type: Value.Type = Value.self
    ) throws(HostFailure) -> Value {
        let data: Data
        do { data = try JSONEncoder().encode(body) } catch {
            throw HostFailure(.badAddress, "The order can't be written as JSON: \(error)")
        }
        return try decoded(
            send("POST", path, .bytes(Array(data), mediaType: "application/json")), type, path)
    }

    /// Sends a request without a body, and returns the answer's value.
    ///
    /// - Throws: ``HostFailure``.
    public func post<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self
    ) throws(HostFailure) -> Value {
        try decoded(send("POST", path), type, path)
    }

    /// Sends a `POST` or `DELETE` request whose answer has no value.
    ///
    /// - Throws: ``HostFailure``.
    public func perform(_ method: String, _ path: String) throws(HostFailure) {
        _ = try send(method, path)
    }

    /// Receives an answer piece by piece.
    ///
    /// - Parameters:
    ///   - headers: more headers.
    ///   - patience: the allowed seconds of silence, if different from the connection's.
    /// - Throws: ``HostFailure``.
    func stream(
        _ path: String, headers: [(name: String, value: String)] = [], patience: Int? = nil,
        to receiver: any HTTPReceiver
    ) throws(HostFailure) {
        var request = request("GET", path)
        request.headers += headers
        try check(
            answer { () throws(HTTPFailure) in
                try CurlClient().stream(
                    request, patience: patience ?? self.patience, to: receiver)
            }, path)
    }

    /// A percent-encoded part of a path.
    public static func part(_ text: String) -> String { WebAddress.encoded(text) }

    static func words(_ query: [(name: String, value: String)]) -> String {
        guard !query.isEmpty else { return "" }
        return "?"
            + query.map { WebAddress.encoded($0.name) + "=" + WebAddress.encoded($0.value) }
            .joined(separator: "&")
    }

    private func send(
        _ method: String, _ path: String, _ body: WebRequest.Body = .none
    ) throws(HostFailure) -> WebAnswer {
        var request = request(method, path)
        request.body = body
        let response = try answer { () throws(HTTPFailure) in
            try CurlClient(timeLimit: max(300, patience), silenceLimit: patience).send(request)
        }
        try check(response, path)
        return response
    }

    private func request(_ method: String, _ path: String) -> WebRequest {
        var request = WebRequest(method, address.text + path)
        if let token { request.headers.append(("Authorization", "Bearer \(token)")) }
        request.trust = trust
        request.secrets = secrets
        request.largest = Self.largestAnswer
        return request
    }
}
