import CGnuTLS
import CRequestGuard
import Glibc

/// An answer that bypasses libmicrohttpd, because the connection closes after it.
struct LastAnswer {
    private let text: String

    /// An answer with a status of ``Problems`` and a body in memory.
    init(_ response: HTTPResponse) {
        guard case .bytes(let body) = response.body else {
            text = ""
            return
        }
        let reason =
            [400: "Bad Request", 413: "Content Too Large", 431: "Request Header Fields Too Large"][
                response.status] ?? "Refused"
        let headers = response.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        text =
            "HTTP/1.1 \(response.status) \(reason)\r\n\(headers)Connection: close\r\n"
            + "Content-Length: \(body.count)\r\n\r\n" + String(decoding: body, as: UTF8.self)
    }

    /// Sends as much of the answer as possible without waiting, and discards the rest of the
    /// request.
    ///
    /// - Parameter session: the TLS session; nil for plain HTTP.
    func send(_ socket: CInt, _ session: UnsafeMutableRawPointer?) {
        var text = text
        text.withUTF8 { bytes in
            if let session {
                let session = OpaquePointer(session)
                _ = gnutls_record_send(session, bytes.baseAddress, bytes.count)
                _ = gnutls_bye(session, GNUTLS_SHUT_WR)
            } else {
                _ = Glibc.send(
                    socket, bytes.baseAddress, bytes.count,
                    CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
            }
        }
        // Closing a socket with unread data would discard the answer.
        copystand_guard_drain(socket)
    }
}
