import CGnuTLS
import Glibc

extension HTTPListener.Identity {
    /// A new certificate authority for this host, valid for ten years.
    ///
    /// A browser that trusts the authority accepts every certificate that it signs (ECDSA, P-256;
    /// GnuTLS).
    ///
    /// - Parameter machine: the machine's name, which people see when their browser asks them to
    ///   trust the authority.
    /// - Throws: ``ListenError`` when GnuTLS fails.
    public static func authority(of machine: String) throws(ListenError) -> HTTPListener.Identity {
        let key = try PrivateKey()
        let certificate = try Certificate(
            name: "Copystand on \(machine.prefix(40))", key: key, days: 10 * 365)
        try check(gnutls_x509_crt_set_basic_constraints(certificate.handle, 1, 0))
        try check(gnutls_x509_crt_set_key_usage(certificate.handle, KeyUsage.signsCertificates))
        return HTTPListener.Identity(
            certificate: try certificate.signed(by: certificate, key), key: try key.text())
    }

    /// A certificate for TLS, signed by an authority and valid for 397 days, the longest time that
    /// Apple's systems accept.
    ///
    /// - Parameters:
    ///   - names: the host's names and numeric addresses.
    ///   - authority: the authority; the result also contains its certificate.
    ///   - old: the identity to replace; its key is reused, so that programs which know the host by
    ///     its key still do.
    /// - Throws: ``ListenError`` when GnuTLS fails, or the authority can't be read.
    public static func issued(
        for names: [String], by authority: HTTPListener.Identity,
        replacing old: HTTPListener.Identity? = nil
    ) throws(ListenError) -> HTTPListener.Identity {
        let key: PrivateKey
        if let old { key = try PrivateKey(old.key) } else { key = try PrivateKey() }
        let certificate = try Certificate(name: "Copystand", key: key, days: 397)
        for name in names { try certificate.add(name) }
        try check(gnutls_x509_crt_set_basic_constraints(certificate.handle, 0, -1))
        try check(gnutls_x509_crt_set_key_usage(certificate.handle, KeyUsage.signs))
        try check(gnutls_x509_crt_set_key_purpose_oid(certificate.handle, "1.3.6.1.5.5.7.3.1", 0))
        let text = try certificate.signed(
            by: Certificate(authority.certificate), PrivateKey(authority.key))
        return HTTPListener.Identity(certificate: text + authority.certificate, key: try key.text())
    }

    /// True if the certificate was signed by this authority, has all of these names, and is valid
    /// for 30 more days.
    public func isCurrent(for names: [String], of authority: HTTPListener.Identity) -> Bool {
        guard let leaf = try? Certificate(certificate),
            let root = try? Certificate(authority.certificate)
        else { return false }
        return gnutls_x509_crt_check_issuer(leaf.handle, root.handle) != 0
            && gnutls_x509_crt_get_expiration_time(leaf.handle) > time(nil) + 30 * 86_400
            && names.allSatisfy { gnutls_x509_crt_check_hostname(leaf.handle, $0) != 0 }
    }
}

/// The uses of a key, as numbers of macros that Swift does not import.
private enum KeyUsage {
    /// `GNUTLS_KEY_DIGITAL_SIGNATURE`.
    static let signs: UInt32 = 128
    /// `GNUTLS_KEY_KEY_CERT_SIGN | GNUTLS_KEY_CRL_SIGN`.
    static let signsCertificates: UInt32 = 4 | 2
}

/// A private key in GnuTLS.
private final class PrivateKey {
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
private final class Certificate {
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
    func add(_ name: String) throws(ListenError) {
        var four = in_addr()
        var six = in6_addr()
        let bytes: [UInt8]
        let isName: Bool
        if inet_pton(AF_INET, name, &four) == 1 {
            (bytes, isName) = (withUnsafeBytes(of: four) { Array($0) }, false)
        } else if inet_pton(AF_INET6, name, &six) == 1 {
            (bytes, isName) = (withUnsafeBytes(of: six) { Array($0) }, false)
        } else {
            (bytes, isName) = (Array(name.utf8), true)
        }
        try check(
            gnutls_x509_crt_set_subject_alt_name(
                handle, isName ? GNUTLS_SAN_DNSNAME : GNUTLS_SAN_IPADDRESS, bytes,
                UInt32(bytes.count), UInt32(GNUTLS_FSAN_APPEND)))
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

private func withDatum(_ text: String, _ body: (UnsafePointer<gnutls_datum_t>) -> CInt) -> CInt {
    var bytes = Array(text.utf8)
    return bytes.withUnsafeMutableBufferPointer { buffer in
        var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
        return body(&datum)
    }
}

private func string(_ datum: gnutls_datum_t) -> String {
    String(
        decoding: UnsafeBufferPointer(start: datum.data, count: Int(datum.size)), as: UTF8.self)
}

private func check(_ code: CInt) throws(ListenError) {
    guard code < 0 else { return }
    throw ListenError(
        "A certificate could not be made: \(gnutls_strerror(code).map { String(cString: $0) } ?? "error \(code)")."
    )
}
