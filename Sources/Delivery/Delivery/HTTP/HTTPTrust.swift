/// Which server a client accepts as the host it asked for, over HTTPS.
package enum HTTPTrust: Hashable, Sendable {
    /// A host with a certificate for its name that one of the system's authorities has signed.
    case system
    /// One that has a certificate for the host's name that is in this PEM file, or that an
    /// authority in it has signed.
    case authority(file: String)
    /// One that has this key, whatever its certificate says: `sha256//` and the SHA-256 of the
    /// public key in base64 (RFC 7469).
    case key(String)
}
