/// A request's line and headers, before its body.
public struct HTTPRequestHead: Sendable {
    /// The method in capitals, such as `GET`.
    public let method: String
    /// The path's parts between slashes, decoded (RFC 3986, UTF-8); empty for `/`.
    public let path: [String]
    /// The query's pairs in their order, decoded; `+` stands for a space.
    public let query: [(name: String, value: String)]
    /// The address of the other side without its port, such as `127.0.0.1` or `::1`.
    public let peer: String
    private let headers: [String: [String]]

    /// A head with decoded parts; header names are compared in any case.
    public init(
        method: String, path: [String], query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], peer: String = "127.0.0.1"
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.peer = peer
        self.headers = Dictionary(
            headers.map { ($0.name.lowercased(), [$0.value]) }, uniquingKeysWith: +)
    }

    /// The value of a header; nil when it was not sent, the values joined by commas when it was
    /// sent several times (RFC 9110, 5.3).
    public func header(_ name: String) -> String? {
        headers[name.lowercased()]?.joined(separator: ", ")
    }

    /// The number of times that a header was sent.
    public func count(ofHeader name: String) -> Int { headers[name.lowercased()]?.count ?? 0 }

    /// The first value with that name in the query; nil when there is none.
    public func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A request that has arrived completely.
public struct HTTPRequest: Sendable {
    /// The request's line and headers.
    public let head: HTTPRequestHead
    /// The request's body.
    public let body: HTTPBody

    /// True when the body is empty.
    var isBodiless: Bool {
        if case .bytes(let bytes) = body { bytes.isEmpty } else { false }
    }

    /// A request with a head and a body.
    public init(head: HTTPRequestHead, body: HTTPBody = .bytes([])) {
        self.head = head
        self.body = body
    }
}

/// The body of a request.
public enum HTTPBody: Sendable {
    /// Bytes in memory; none for a request without a body.
    case bytes([UInt8])
    /// A new file of `count` bytes, which the handler must remove.
    case file(path: String, count: Int)
}
