import FoundationEssentials

/// A request to a service.
package struct WebRequest: Sendable {
    /// The body of a request.
    package enum Body: Sendable {
        case none
        case bytes([UInt8], mediaType: String)
        /// A file, streamed unchanged from the disk.
        case file(path: String, mediaType: String)
        /// This many bytes of a file from a place on, streamed from the disk.
        case part(path: String, from: Int, count: Int, mediaType: String)
        /// `multipart/form-data`.
        case form([Part])
    }

    /// The keys of an object store, with which requests are signed (AWS Signature Version 4).
    struct Signing: Sendable {
        var region: String
        var key: String
        var secret: String
    }

    /// A part of a form.
    package struct Part: Sendable {
        package var name: String
        package var content: Content

        /// The content of a part.
        package enum Content: Sendable {
            case text(String)
            /// A file, streamed from the disk.
            case file(path: String, name: String, mediaType: String)
        }

        static func text(_ name: String, _ text: String) -> Part {
            Part(name: name, content: .text(text))
        }
    }

    var method: String
    var url: String
    /// Names and values; checked before they are sent.
    package var headers: [(name: String, value: String)] = []
    package var body: Body = .none
    /// The servers to accept as the host.
    package var trust = HTTPTrust.system
    /// The maximum size of a stored answer in bytes.
    package var largest = CurlClient.largestAnswer
    /// The maximum number of bytes of an answer that is hashed without storing it, for files that
    /// would not fit in memory; nil for an answer that is stored, up to ``largest``.
    var hashing: Int?
    /// Counts the bytes of the body that are sent; nil if nothing shows them.
    var progress: UploadProgress?
    /// Signs the request for a store of objects; nil for no signature.
    var signing: Signing?
    /// Replaces the request's secrets in messages and answers that people see.
    package var secrets = SecretRedactor.none

    package init(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [],
        body: Body = .none
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// A service's answer.
package struct WebAnswer: Sendable {
    package var status: Int
    /// Names in lower case; the last value of a repeated name.
    package var headers: [String: String]
    package var body: [UInt8]
    /// The SHA-256 of a body that was not stored, in hexadecimal digits; nil for a stored body.
    var hash: String?
    /// Replaces the request's secrets in shown or stored parts of the answer.
    var secrets = SecretRedactor.none

    /// The answer as JSON, without the request's secrets; nil when it is not JSON.
    var json: JSONAnswer? {
        JSONAnswer(body)?.redacted(by: secrets)
    }

    /// The body without the request's secrets.
    package var safeBody: [UInt8] { secrets.redacted(body) }

    /// The answer's beginning as one line of text without the request's secrets, for a message.
    var excerpt: String {
        let beginning = body.prefix(Self.readForExcerpt)
        let safe = secrets.redacted(Array(beginning), isCut: beginning.count < body.count)
        let text = String(decoding: safe, as: UTF8.self)
        let line = text.unicodeScalars.map {
            $0.properties.generalCategory == .control ? " " : String($0)
        }
        let words = line.joined().split(separator: " ").joined(separator: " ")
        return String(words.prefix(Self.longestExcerpt))
    }

    private static let readForExcerpt = 1 << 14
    private static let longestExcerpt = 400
}

/// The reason why there was no answer.
package struct HTTPFailure: Error, Hashable, Sendable {
    /// The failure in words, with the host and without secrets.
    package var message: String
    /// True when trying again can't help, such as for an invalid URL.
    var isPermanent = false
    /// Seconds after which to try again, where the service has asked for that.
    var after: Double?
    /// True when the service may have received the request, though no answer arrived.
    var mayHaveArrived = false
    /// True when the server could not prove that it is the host.
    package var isUntrusted = false
    /// True when the answer can't be right: it is too long, or redirects to another host.
    package var isUnfit = false
}

/// Sends requests.
///
/// The call blocks, so use a thread that may wait.
protocol HTTPClient: Sendable {
    /// Seconds of silence after which a service is given up.
    var silenceLimit: Int { get }
    func send(_ request: WebRequest) throws(HTTPFailure) -> WebAnswer
}
