import CGnuTLS
import Glibc

/// The uses of a key, as numbers of macros that Swift does not import.
enum KeyUsage {
    /// `GNUTLS_KEY_DIGITAL_SIGNATURE`.
    static let signs: UInt32 = 128
    /// `GNUTLS_KEY_KEY_CERT_SIGN | GNUTLS_KEY_CRL_SIGN`.
    static let signsCertificates: UInt32 = 4 | 2
    /// The purpose of a server's certificate (`GNUTLS_KP_TLS_WWW_SERVER`).
    static let isServer = "1.3.6.1.5.5.7.3.1"
}

/// A private key in GnuTLS.
final class PrivateKey {
    let handle: gnutls_x509_privkey_t?

    /// A new key.
    init() throws(ListenError) {
        var made: gnutls_x509_privkey_t?
        try check(gnutls_x509_privkey_init(&made))
        handle = made
        // GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1).
        let curve = UInt32(1) << 31 | UInt32(GNUTLS_ECC_CURVE_SECP256R1.rawValue)
        try check(gnutls_x509_privkey_generate(handle, GNUTLS_PK_ECDSA, curve, 0))
    }

    /// The key in a PEM file.
    init(_ text: String) throws(ListenError) {
        var made: gnutls_x509_privkey_t?
        try check(gnutls_x509_privkey_init(&made))
        handle = made
        try check(
            withDatum(text) { gnutls_x509_privkey_import(made, $0, GNUTLS_X509_FMT_PEM) })
    }

    deinit { gnutls_x509_privkey_deinit(handle) }

    func text() throws(ListenError) -> String {
        var text = gnutls_datum_t()
        try check(gnutls_x509_privkey_export2(handle, GNUTLS_X509_FMT_PEM, &text))
        defer { free(text.data) }
        return string(text)
    }
}

/// A certificate in GnuTLS.
final class Certificate {
    let handle: gnutls_x509_crt_t?

    /// A new certificate for a key, without a signature.
    init(name: String, key: PrivateKey, days: Int) throws(ListenError) {
        var made: gnutls_x509_crt_t?
        try check(gnutls_x509_crt_init(&made))
        handle = made
        try check(gnutls_x509_crt_set_version(handle, 3))
        try check(gnutls_x509_crt_set_key(handle, key.handle))
        let now = time(nil)
        // The start is in the past, so that a client with a slow clock accepts the certificate too.
        try check(gnutls_x509_crt_set_activation_time(handle, now - 3600))
        try check(gnutls_x509_crt_set_expiration_time(handle, now + days * 86_400 - 3600))
        var serial = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        serial[0] &= 0x7F
        try check(gnutls_x509_crt_set_serial(handle, serial, serial.count))
        try check(
            gnutls_x509_crt_set_dn_by_oid(handle, "2.5.4.3", 0, name, UInt32(name.utf8.count)))
        var id = [UInt8](repeating: 0, count: 20)
        var size = id.count
        try check(gnutls_x509_crt_get_key_id(handle, 0, &id, &size))
        try check(gnutls_x509_crt_set_subject_key_id(handle, id, size))
    }

    /// The first certificate in a PEM file.
    init(_ text: String) throws(ListenError) {
        var made: gnutls_x509_crt_t?
        try check(gnutls_x509_crt_init(&made))
        handle = made
        try check(withDatum(text) { gnutls_x509_crt_import(made, $0, GNUTLS_X509_FMT_PEM) })
    }

    deinit { gnutls_x509_crt_deinit(handle) }

    /// Adds a name or numeric address to the certificate.
    func add(_ name: CertifiedName) throws(ListenError) {
        let bytes = name.bytes
        try check(
            gnutls_x509_crt_set_subject_alt_name(
                handle, name.kind, bytes, UInt32(bytes.count), UInt32(GNUTLS_FSAN_APPEND)))
    }

    /// The subject's common name; empty for none.
    var name: String {
        var bytes = [UInt8](repeating: 0, count: 256)
        var size = bytes.count
        guard gnutls_x509_crt_get_dn_by_oid(handle, "2.5.4.3", 0, 0, &bytes, &size) >= 0 else {
            return ""
        }
        return String(decoding: bytes.prefix(size), as: UTF8.self)
    }

    /// The certificate's PEM text, signed.
    func signed(by issuer: Certificate, _ key: PrivateKey) throws(ListenError) -> String {
        var id = [UInt8](repeating: 0, count: 20)
        var size = id.count
        try check(gnutls_x509_crt_get_subject_key_id(issuer.handle, &id, &size, nil))
        try check(gnutls_x509_crt_set_authority_key_id(handle, id, size))
        try check(
            gnutls_x509_crt_sign2(handle, issuer.handle, key.handle, GNUTLS_DIG_SHA256, 0))
        var text = gnutls_datum_t()
        try check(gnutls_x509_crt_export2(handle, GNUTLS_X509_FMT_PEM, &text))
        defer { free(text.data) }
        return string(text)
    }
}

func withDatum(_ text: String, _ body: (UnsafePointer<gnutls_datum_t>) -> CInt) -> CInt {
    withDatum(Array(text.utf8), body)
}

func withDatum(_ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> CInt) -> CInt {
    var bytes = bytes
    return bytes.withUnsafeMutableBufferPointer { buffer in
        var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
        return body(&datum)
    }
}

func string(_ datum: gnutls_datum_t) -> String {
    String(
        decoding: UnsafeBufferPointer(start: datum.data, count: Int(datum.size)), as: UTF8.self)
}

func check(_ code: CInt) throws(ListenError) {
    guard code < 0 else { return }
    throw ListenError(
        "A certificate could not be made: \(gnutls_strerror(code).map { String(cString: $0) } ?? "error \(code)")."
    )
}
