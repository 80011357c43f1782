import CGnuTLS
import Dispatch
import Glibc

/// A TLS connection to a port of this machine (GnuTLS), which trusts any certificate.
///
/// `@unchecked Sendable` holds because a test uses the client in one task at a time.
final class TLSClient: @unchecked Sendable {
    private let socket: CInt
    private var session: gnutls_session_t?
    private var credentials: gnutls_certificate_credentials_t?
    /// The reason why the handshake failed; nil if it succeeded.
    let failure: String?

    /// Connects to the server and does the TLS handshake.
    ///
    /// - Parameter priorities: The offered versions and ciphers in GnuTLS's syntax.
    init(port: UInt16, priorities: String = "NORMAL") async {
        socket = connectedSocket(to: port)
        gnutls_certificate_allocate_credentials(&credentials)
        gnutls_init(&session, GNUTLS_CLIENT.rawValue | GNUTLS_NO_SIGNAL.rawValue)
        let isKnown = gnutls_priority_set_direct(session, priorities, nil) >= 0
        if let credentials {
            gnutls_credentials_set(
                session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
        }
        gnutls_transport_set_int2(session, socket, socket)
        let pair = Pair(session: session)
        let code = await onThread { () -> CInt in
            guard isKnown else { return -1 }
            var code: CInt
            repeat {
                code = gnutls_handshake(pair.session)
            } while code < 0
                && gnutls_error_is_fatal(code) == 0
            return code
        }
        failure = code < 0 ? String(cString: gnutls_strerror(code)) : nil
    }

    deinit {
        gnutls_deinit(session)
        gnutls_certificate_free_credentials(credentials)
        close(socket)
    }

    /// The negotiated version and cipher, such as `TLS1.3 AES-256-GCM`.
    var agreed: String {
        let version = gnutls_protocol_get_name(gnutls_protocol_get_version(session))
        let cipher = gnutls_cipher_get_name(gnutls_cipher_get(session))
        return [version, cipher].map { $0.map { String(cString: $0) } ?? "?" }
            .joined(separator: " ")
    }

    /// Sends a text in one record.
    func send(_ text: String) async {
        let pair = Pair(session: session)
        await onThread {
            var text = text
            text.withUTF8 { _ = gnutls_record_send(pair.session, $0.baseAddress, $0.count) }
        }
    }

    /// The remaining text until the end of the connection.
    func rest() async -> String {
        let pair = Pair(session: session)
        return await onThread {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 14)
            while true {
                let count = gnutls_record_recv(pair.session, &chunk, chunk.count)
                if count == Int(GNUTLS_E_INTERRUPTED) || count == Int(GNUTLS_E_AGAIN) { continue }
                guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                bytes += chunk.prefix(count)
            }
        }
    }

    private struct Pair: @unchecked Sendable {
        let session: gnutls_session_t?
    }
}

/// Runs blocking code on a thread outside the pool of the tasks.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { done in
        DispatchQueue(label: "tls-client").async { done.resume(returning: body()) }
    }
}
