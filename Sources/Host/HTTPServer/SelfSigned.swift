import CGnuTLS
import Glibc

extension HTTPListener.Identity {
    /// A new key (ECDSA, P-256) and a certificate that it has signed itself, for ten years
    /// (GnuTLS).
    ///
    /// - Parameter names: the names by which the host is called, such as `scans.local`.
    /// - Throws: ``ListenError`` when GnuTLS fails.
    public static func selfSigned(names: [String]) throws(ListenError) -> HTTPListener.Identity {
        var key: gnutls_x509_privkey_t?
        var certificate: gnutls_x509_crt_t?
        try check(gnutls_x509_privkey_init(&key))
        defer { gnutls_x509_privkey_deinit(key) }
        try check(gnutls_x509_crt_init(&certificate))
        defer { gnutls_x509_crt_deinit(certificate) }
        // The numbers of macros, which are not imported:
        // GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1).
        let curve = UInt32(1) << 31 | UInt32(GNUTLS_ECC_CURVE_SECP256R1.rawValue)
        try check(gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA, curve, 0))
        try check(gnutls_x509_crt_set_version(certificate, 3))
        try check(gnutls_x509_crt_set_key(certificate, key))
        let now = time(nil)
        // A client whose clock is a little behind accepts it too.
        try check(gnutls_x509_crt_set_activation_time(certificate, now - 3600))
        try check(gnutls_x509_crt_set_expiration_time(certificate, now + 10 * 365 * 86_400))
        var serial = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        serial[0] &= 0x7F
        try check(gnutls_x509_crt_set_serial(certificate, serial, serial.count))
        let name = "Copystand"
        try check(
            gnutls_x509_crt_set_dn_by_oid(
                certificate, "2.5.4.3", 0, name, UInt32(name.utf8.count)))
        for name in names {
            try check(
                gnutls_x509_crt_set_subject_alt_name(
                    certificate, GNUTLS_SAN_DNSNAME, name, UInt32(name.utf8.count),
                    UInt32(GNUTLS_FSAN_APPEND)))
        }
        try check(gnutls_x509_crt_set_basic_constraints(certificate, 0, -1))
        try check(
            gnutls_x509_crt_sign2(certificate, certificate, key, GNUTLS_DIG_SHA256, 0))
        var (keyText, certificateText) = (gnutls_datum_t(), gnutls_datum_t())
        try check(gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &keyText))
        defer { free(keyText.data) }
        try check(gnutls_x509_crt_export2(certificate, GNUTLS_X509_FMT_PEM, &certificateText))
        defer { free(certificateText.data) }
        return HTTPListener.Identity(certificate: text(certificateText), key: text(keyText))
    }

    private static func text(_ datum: gnutls_datum_t) -> String {
        String(
            decoding: UnsafeBufferPointer(start: datum.data, count: Int(datum.size)), as: UTF8.self)
    }

    private static func check(_ code: CInt) throws(ListenError) {
        guard code < 0 else { return }
        throw ListenError(
            "A certificate could not be made: \(gnutls_strerror(code).map { String(cString: $0) } ?? "error \(code)")."
        )
    }
}
