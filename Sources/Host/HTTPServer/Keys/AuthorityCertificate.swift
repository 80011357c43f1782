import CGnuTLS
import ExpectedFailures
import Glibc

/// The certificate of a host's own authority, without its key.
public struct AuthorityCertificate: Sendable {
    /// The certificate as PEM.
    public let text: String
    /// The name that people see in the list of authorities that they trust.
    public let name: String
    /// The beginning and the end of its validity, in seconds since 1970.
    private let start: Int
    private let end: Int

    /// The days for which an authority must still be valid: longer than the certificates it signs.
    private static let leastDays = 398

    /// Reads the first certificate in a PEM text.
    ///
    /// - Throws: ``ListenError`` when GnuTLS can't read it.
    public init(_ text: String) throws(ListenError) {
        let certificate = try Certificate(text)
        self.text = text
        name = certificate.name
        start = gnutls_x509_crt_get_activation_time(certificate.handle)
        end = gnutls_x509_crt_get_expiration_time(certificate.handle)
    }

    /// True if it is not valid yet: the clock was ahead when it was made, or is behind now.
    public var isOfFuture: Bool { start > time(nil) }

    /// True if it may sign only some names and some addresses.
    ///
    /// Authorities of versions before the limits may sign any.
    public var isLimited: Bool {
        guard let constraints else { return false }
        return !["any.invalid", "0.0.0.0", "::"].contains(where: constraints.permits)
    }

    /// True if it is limited, and valid for longer than the certificates it signs.
    public var isUsable: Bool { isLimited && end > time(nil) + Self.leastDays * 86_400 }

    /// True if it may sign the name or numeric address; one without limits may sign any.
    public func permits(_ name: String) -> Bool { constraints?.permits(name) ?? true }

    /// The names that it may sign, along with all names ending in them; without addresses; empty
    /// for one without limits.
    public var permittedNames: [String] { constraints?.names ?? [] }

    private var constraints: NameConstraints? {
        ofKnownForm { try Certificate(text) }.flatMap(NameConstraints.of)
    }
}
