import CGnuTLS

extension HTTPListener.Identity {
    /// The SHA-256 of the certificate's public key, in the form of `Public-Key-Pins` (RFC 7469,
    /// 2.4; `gnutls_x509_crt_get_key_id`); nil for a certificate that can't be read.
    public var keyHash: [UInt8]? {
        var made: gnutls_x509_crt_t?
        guard gnutls_x509_crt_init(&made) >= 0 else { return nil }
        defer { gnutls_x509_crt_deinit(made) }
        var bytes = Array(certificate.utf8)
        let hasRead = bytes.withUnsafeMutableBufferPointer { buffer -> Bool in
            var text = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
            return gnutls_x509_crt_import(made, &text, GNUTLS_X509_FMT_PEM) >= 0
        }
        var hash = [UInt8](repeating: 0, count: 32)
        var size = hash.count
        guard hasRead,
            gnutls_x509_crt_get_key_id(made, GNUTLS_KEYID_USE_SHA256.rawValue, &hash, &size) >= 0,
            size == hash.count
        else { return nil }
        return hash
    }
}
