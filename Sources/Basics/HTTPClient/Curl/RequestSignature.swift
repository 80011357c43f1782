import Glibc
import Hashing

/// The signature of a request to a store of objects: AWS's Signature Version 4.
///
/// libcurl can make it as well, but only by this machine's clock, and stores refuse a time that is
/// a quarter of an hour off.
struct RequestSignature {
    let signing: WebRequest.Signing
    /// The time of signing, such as `20130524T000000Z`.
    private let time: String

    /// A signature at a time in seconds since 1970.
    init(_ signing: WebRequest.Signing, at seconds: Double) {
        self.signing = signing
        var moment = time_t(seconds)
        var parts = tm()
        gmtime_r(&moment, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
        time = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The request with its signature, which covers all of its headers.
    ///
    /// - Precondition: the path and the query are percent-encoded, and the header
    ///   `x-amz-content-sha256` has the hash of the body.
    func sign(_ request: WebRequest, to address: WebAddress) -> WebRequest {
        var request = request
        request.headers.append(("x-amz-date", time))
        let headers = (request.headers + [("host", Self.host(of: address))])
            .map { (name: $0.name.lowercased(), value: $0.value) }
            .sorted { $0.name < $1.name }
        let names = headers.map(\.name).joined(separator: ";")
        let parts = address.rest.split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = (parts.count > 1 ? parts[1] : "").split(separator: "&")
            .map { $0.contains("=") ? String($0) : "\($0)=" }
            .sorted()
        let path = parts.first.map(String.init) ?? ""
        let hash = headers.first { $0.name == "x-amz-content-sha256" }?.value ?? ""
        let lines =
            [request.method, path.isEmpty ? "/" : path, query.joined(separator: "&")]
            + headers.map { "\($0.name):\($0.value)" } + ["", names, hash]
        let scope = "\(time.prefix(8))/\(signing.region)/s3/aws4_request"
        let text = [
            "AWS4-HMAC-SHA256", time, scope,
            hexadecimalDigits(Self.hash(of: Array(lines.joined(separator: "\n").utf8))),
        ].joined(separator: "\n")
        let signature = hexadecimalDigits(Self.code(of: text, key: key))
        request.headers.append(
            (
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=\(signing.key)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
            ))
        return request
    }

    /// The key of that day, region and service.
    private var key: [UInt8] {
        [String(time.prefix(8)), signing.region, "s3", "aws4_request"]
            .reduce(Array("AWS4\(signing.secret)".utf8)) { Self.code(of: $1, key: $0) }
    }

    /// The host as libcurl sends it: without the port that its scheme implies.
    private static func host(of address: WebAddress) -> String {
        let isSecure = address.origin.hasPrefix("https://")
        let host = address.origin.dropFirst(isSecure ? 8 : 7)
        let usual = isSecure ? ":443" : ":80"
        return String(host.hasSuffix(usual) ? host.dropLast(usual.count) : host)
    }

    /// HMAC-SHA256 (RFC 2104).
    private static func code(of text: String, key: [UInt8]) -> [UInt8] {
        let short = key.count > 64 ? hash(of: key) : key
        let whole = short + [UInt8](repeating: 0, count: 64 - short.count)
        let inner = hash(of: whole.map { $0 ^ 0x36 } + Array(text.utf8))
        return hash(of: whole.map { $0 ^ 0x5C } + inner)
    }

    private static func hash(of bytes: [UInt8]) -> [UInt8] {
        var hasher = SHA256()
        bytes.withUnsafeBytes { hasher.update($0) }
        return hasher.digest()
    }
}
