import CGnuTLS
import ExpectedFailures
import Glibc

/// A name or a numeric address in a certificate.
struct CertifiedName {
    let kind: gnutls_x509_subject_alt_name_t
    /// The name's letters, or the address's bytes.
    let bytes: [UInt8]

    init(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            (kind, bytes) = (GNUTLS_SAN_IPADDRESS, withUnsafeBytes(of: four) { Array($0) })
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            (kind, bytes) = (GNUTLS_SAN_IPADDRESS, withUnsafeBytes(of: six) { Array($0) })
        } else {
            (kind, bytes) = (GNUTLS_SAN_DNSNAME, Array(text.lowercased().utf8))
        }
    }
}

/// The names and addresses for which an authority may sign.
final class NameConstraints {
    let handle: gnutls_x509_name_constraints_t?

    /// The names that every authority may sign: this machine's usual names, and addresses that
    /// no router passes on.
    static let usual = [
        "localhost", "local", "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
        "169.254.0.0/16", "::1", "fc00::/7", "fe80::/10",
    ]

    /// Constraints that permit nothing yet.
    init() throws(ListenError) {
        var made: gnutls_x509_name_constraints_t?
        try check(gnutls_x509_name_constraints_init(&made))
        handle = made
    }

    /// The critical constraints of a certificate; nil for one without.
    static func of(_ certificate: Certificate) -> NameConstraints? {
        guard let found = ifSupported({ try NameConstraints() }) else { return nil }
        var isCritical: UInt32 = 0
        let code = gnutls_x509_crt_get_name_constraints(
            certificate.handle, found.handle, 0, &isCritical)
        return code >= 0 && isCritical != 0 ? found : nil
    }

    deinit { gnutls_x509_name_constraints_deinit(handle) }

    /// Permits a name with all names below it, an address, or a network such as
    /// `10.0.0.0/8`.
    func permit(_ text: String) throws(ListenError) {
        let parts = text.split(separator: "/")
        let name = CertifiedName(parts.first.map(String.init) ?? "")
        var bytes = name.bytes
        if name.kind == GNUTLS_SAN_IPADDRESS {
            let length = parts.count > 1 ? Int(parts[1]) ?? 0 : bytes.count * 8
            bytes += bytes.indices.map { index in
                UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, length - 8 * index)))
            }
        }
        try check(
            withDatum(bytes) {
                gnutls_x509_name_constraints_add_permitted(handle, name.kind, $0)
            })
    }

    /// True if a certificate may have the name or address.
    func permits(_ text: String) -> Bool {
        let name = CertifiedName(text)
        return withDatum(name.bytes) {
            CInt(bitPattern: gnutls_x509_name_constraints_check(handle, name.kind, $0))
        } != 0
    }

    /// The names that are permitted, without addresses.
    var names: [String] {
        var found: [String] = []
        var (kind, name) = (UInt32(0), gnutls_datum_t())
        while gnutls_x509_name_constraints_get_permitted(
            handle, UInt32(found.count), &kind, &name) >= 0
        {
            found.append(kind == GNUTLS_SAN_DNSNAME.rawValue ? string(name) : "")
        }
        return found.filter { !$0.isEmpty }
    }
}
