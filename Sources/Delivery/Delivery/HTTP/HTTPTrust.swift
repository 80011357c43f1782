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
