package import FileNames
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

    /// Gets the number of bytes that are sent, the length of the body, 0 for a part of a file, and
    /// where in its file the body begins.
    package typealias Progress = @Sendable (_ sent: Int, _ length: Int, _ start: Int) -> Void

    /// The keys of an object store, with which requests are signed (AWS Signature Version 4).
    package struct Signing: Sendable {
        package var region: String
        package var key: String
        package var secret: String

        /// The keys of a region.
        package init(region: String, key: String, secret: String) {
            self.region = region
            self.key = key
            self.secret = secret
        }
    }

    /// A part of a form.
    package struct Part: Sendable {
        package var name: String
        package var content: Content

        /// A part with a name.
        package init(name: String, content: Content) {
            self.name = name
            self.content = content
        }

        /// The content of a part.
        package enum Content: Sendable {
            case text(String)
            /// A file, streamed from the disk.
            case file(path: String, name: String, mediaType: String)
        }

        package static func text(_ name: String, _ text: String) -> Part {
            Part(name: name, content: .text(text))
        }
    }

    /// The maximum size of an answer in bytes, unless more is allowed.
    package static let largestAnswer = 4 << 20

    package var method: String
    package var url: String
    /// Names and values; checked before they are sent.
    package var headers: [(name: String, value: String)] = []
    package var body: Body = .none
    /// The servers to accept as the host.
    package var trust = HTTPTrust.system
    /// The maximum size of a stored answer in bytes.
    package var largest = largestAnswer
    /// The maximum number of bytes of an answer that is hashed without storing it, for files that
    /// would not fit in memory; nil for an answer that is stored, up to ``largest``.
    package var hashing: Int?
    /// Gets the bytes of the body that are sent; nil if nothing shows them.
    package var progress: Progress?
    /// Signs the request for a store of objects; nil for no signature.
    package var signing: Signing?
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
    package var hash: String?
    /// Replaces the request's secrets in shown or stored parts of the answer.
    package var secrets = SecretRedactor.none

    /// An answer.
    package init(
        status: Int, headers: [String: String], body: [UInt8], hash: String? = nil,
        secrets: SecretRedactor = .none
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.hash = hash
        self.secrets = secrets
    }

    /// The answer as JSON, without the request's secrets; nil when it is not JSON.
    package var json: JSONValue? {
        JSONValue(body)?.redacted(by: secrets)
    }

    /// The body without the request's secrets.
    package var safeBody: [UInt8] { secrets.redacted(body) }

    /// The answer's beginning as one line of text without the request's secrets, for a message.
    package var excerpt: String {
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
    package var isPermanent = false
    /// Seconds after which to try again, where the service has asked for that.
    package var after: Double?
    /// True when the service may have received the request, though no answer arrived.
    package var mayHaveArrived = false
    /// True when the server could not prove that it is the host.
    package var isUntrusted = false
    /// True when the answer can't be right: it is too long, or redirects to another host.
    package var isUnfit = false

    /// A failure.
    package init(
        message: String, isPermanent: Bool = false, after: Double? = nil,
        mayHaveArrived: Bool = false, isUntrusted: Bool = false, isUnfit: Bool = false
    ) {
        self.message = message
        self.isPermanent = isPermanent
        self.after = after
        self.mayHaveArrived = mayHaveArrived
        self.isUntrusted = isUntrusted
        self.isUnfit = isUnfit
    }
}

/// Sends requests.
///
/// The call blocks, so use a thread that may wait.
package protocol WebClient: Sendable {
    /// Seconds of silence after which a service is given up.
    var silenceLimit: Int { get }
    func send(_ request: WebRequest) throws(HTTPFailure) -> WebAnswer
}

/// A value of a request as JSON, with sorted keys.
///
/// - Throws: a permanent ``HTTPFailure`` for a value that JSON can't have, such as an infinity.
package func jsonText(_ value: some Encodable) throws(HTTPFailure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch {
        throw HTTPFailure(
            message: "the document's data can't be written as JSON: \(error)", isPermanent: true)
    }
}

/// The servers that a client accepts as the requested host, over HTTPS.
package enum HTTPTrust: Hashable, Sendable {
    /// Trusts a host with a certificate for its name that one of the system's authorities has
    /// signed.
    case system
    /// Trusts a host with a certificate for its name that is in this PEM file, or that an authority
    /// in the file has signed.
    case authority(file: String)
    /// Trusts a host with this key, whatever its certificate: `sha256//` and the SHA-256 of the
    /// public key in base64 (RFC 7469).
    case key(String)
}

/// Receives an answer as it arrives, on the thread that waits for it.
///
/// It receives only the body of a success; any other body is in the response.
package protocol HTTPReceiver: AnyObject {
    /// An answer has arrived whose body follows.
    ///
    /// - Parameter headers: with names in lower case.
    /// - Returns: false to stop.
    func begin(_ headers: [String: String]) -> Bool
    /// Receives the next bytes of the body.
    ///
    /// - Returns: false to stop.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// True as soon as nothing more is wanted; checked about once a second while nothing arrives.
    var isOver: Bool { get }
}
