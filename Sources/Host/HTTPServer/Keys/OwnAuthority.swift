import CGnuTLS
import ExpectedFailures
import Glibc

extension HTTPListener.Identity {
    /// A new certificate authority for this host, valid for ten years.
    ///
    /// Devices that trust it trust it only for certificates of servers with the given names, names
    /// that end in `.local`, `localhost`, the given addresses, and addresses that no router passes
    /// on: its name constraints are critical (RFC 5280, 4.2.1.10). It is ECDSA, P-256 (GnuTLS).
    ///
    /// - Parameters:
    ///   - machine: the machine's name, which people see, with the date, when their browser asks
    ///     them to trust the authority.
    ///   - names: names and numeric addresses besides those that every authority may sign.
    /// - Throws: ``ListenError`` when GnuTLS fails.
    public static func authority(
        of machine: String, permitting names: [String] = []
    ) throws(ListenError) -> HTTPListener.Identity {
        let key = try PrivateKey()
        let certificate = try Certificate(
            name: "Copystand on \(machine.prefix(36)) (\(today))", key: key, days: 10 * 365)
        try check(gnutls_x509_crt_set_basic_constraints(certificate.handle, 1, 0))
        try check(gnutls_x509_crt_set_key_usage(certificate.handle, KeyUsage.signsCertificates))
        try check(
            gnutls_x509_crt_set_key_purpose_oid(certificate.handle, KeyUsage.isServer, 0))
        let constraints = try NameConstraints()
        for name in NameConstraints.usual { try constraints.permit(name) }
        for name in names { try constraints.permit(name) }
        try check(
            gnutls_x509_crt_set_name_constraints(certificate.handle, constraints.handle, 1))
        return HTTPListener.Identity(
            certificate: try certificate.signed(by: certificate, key), key: try key.text())
    }

    /// A certificate for TLS, signed by an authority and valid for 397 days, the maximum time that
    /// Apple's systems accept.
    ///
    /// - Parameters:
    ///   - names: the host's names and numeric addresses; those that the authority may not sign are
    ///     left out, because they would make the whole certificate invalid.
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
        let root = try AuthorityCertificate(authority.certificate)
        for name in names where root.permits(name) { try certificate.add(CertifiedName(name)) }
        try check(gnutls_x509_crt_set_basic_constraints(certificate.handle, 0, -1))
        try check(gnutls_x509_crt_set_key_usage(certificate.handle, KeyUsage.signs))
        try check(
            gnutls_x509_crt_set_key_purpose_oid(certificate.handle, KeyUsage.isServer, 0))
        let text = try certificate.signed(
            by: Certificate(authority.certificate), PrivateKey(authority.key))
        // GnuTLS leaves out the curve of a key that it has read as PKCS #8.
        let keyText = if let old { old.key } else { try key.text() }
        return HTTPListener.Identity(certificate: text + authority.certificate, key: keyText)
    }

    /// True if the certificate was signed by this authority, has all of these names that the
    /// authority may sign, and is valid now and for 30 more days.
    ///
    /// While the clock is behind the authority, too, the certificate is not replaced: one that was
    /// made then would have expired when the clock is right.
    public func isCurrent(for names: [String], of authority: AuthorityCertificate) -> Bool {
        guard let leaf = ofKnownForm({ try Certificate(certificate) }),
            let root = ofKnownForm({ try Certificate(authority.text) })
        else { return false }
        return gnutls_x509_crt_check_issuer(leaf.handle, root.handle) != 0
            && gnutls_x509_crt_get_expiration_time(leaf.handle) > time(nil) + 30 * 86_400
            && (gnutls_x509_crt_get_activation_time(leaf.handle) <= time(nil)
                || authority.isOfFuture)
            && names.filter(authority.permits).allSatisfy {
                gnutls_x509_crt_check_hostname(leaf.handle, $0) != 0
            }
    }

    /// The certificate of the authority that signed this one: the second in the text; nil for none.
    public var authority: AuthorityCertificate? {
        let starts = certificate.ranges(of: "-----BEGIN CERTIFICATE").map(\.lowerBound)
        guard starts.count > 1 else { return nil }
        return ofKnownForm { try AuthorityCertificate(String(certificate[starts[1]...])) }
    }

    /// Today's date, such as 2026-11-28.
    private static var today: String {
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 11)
        strftime(&text, text.count, "%Y-%m-%d", &parts)
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
