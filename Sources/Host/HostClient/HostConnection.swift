import Clocks
import Delivery
import FoundationEssentials

/// A connection to another host's HTTP API v1.
///
///     let host = HostConnection(try HostAddress("http://127.0.0.1:8470"))
///     let found = try host.get("/api/v1/search", ["q": "invoice"], as: SearchJSON.self)
///
/// Its functions block, so call them from a thread that may wait. Nothing that the host sends is
/// trusted: sizes have limits, what exceeds them is reported, a redirect to another host is
/// refused.
public struct HostConnection: Sendable {
    /// Where the host is.
    public let address: HostAddress
    /// The longest time of silence after which the host is given up, in seconds.
    public let patience: Int
    /// The clock of the waits before something is tried again.
    var clock = ThreadClock.system
    private let token: String?
    var isLetInByToken: Bool { token != nil }
    private let trust: HTTPTrust
    /// Replaces our token in what the host says.
    let secrets: SecretRedactor

    /// The most bytes of an answer that is not a file: the texts of a very long document.
    static let largestAnswer = 64 << 20

    /// A connection to a host; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - token: the access token; nil if none is needed.
    ///   - authority: a PEM file with the host's certificate, or that of its signer; nil for
    ///     the system's authorities.
    ///   - key: `sha256//` and the SHA-256 of the host's key in base64, which takes the place of
    ///     every authority; nil for none.
    ///   - patience: seconds of silence, from 1 on.
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

    /// Asks for a value.
    ///
    /// - Throws: ``HostFailure``.
    public func get<Value: Decodable>(
        _ path: String, _ query: [(name: String, value: String)] = [],
        as type: Value.Type = Value.self
    ) throws(HostFailure) -> Value {
        try decoded(send("GET", path + Self.words(query)), type, path)
    }

    /// Gives an order, and takes the answer.
    ///
    /// - Throws: ``HostFailure``.
    public func post<Value: Decodable>(
        _ path: String, _ body: some Encodable, as type: Value.Type = Value.self
    ) throws(HostFailure) -> Value {
        guard let data = try? JSONEncoder().encode(body) else {
            throw HostFailure(.badAddress, "The order can't be written as JSON.")
        }
        return try decoded(
            send("POST", path, .bytes(Array(data), mediaType: "application/json")), type, path)
    }

    /// Gives an order that has no body, and takes the answer.
    ///
    /// - Throws: ``HostFailure``.
    public func post<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self
    ) throws(HostFailure) -> Value {
        try decoded(send("POST", path), type, path)
    }

    /// Does something that has no answer: `POST` or `DELETE`.
    ///
    /// - Throws: ``HostFailure``.
    public func perform(_ method: String, _ path: String) throws(HostFailure) {
        _ = try send(method, path)
    }

    /// Takes an answer as it comes.
    ///
    /// - Parameters:
    ///   - headers: more headers.
    ///   - patience: seconds of silence after which the host is given up, where they are others.
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

    /// A part of a path, percent-encoded.
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
