import HTTPServer
import Testing

/// Tests which versions and ciphers of TLS are supported.
@Suite struct TransportTests {
    private func withListener(_ body: (UInt16) async throws -> Void) async throws {
        let listener = try HTTPListener(
            address: "127.0.0.1", port: 0,
            identity: .issued(for: ["localhost"], by: .authority(of: "test")),
            limits: .patient, handler: TestHandler())
        try await body(listener.port)
        await listener.stop()
    }

    @Test(
        "TLS 1.2 and 1.3 are supported, with ciphers that authenticate what they encrypt",
        arguments: [
            ("NORMAL", "TLS1.3 "), ("NORMAL:-VERS-ALL:+VERS-TLS1.3", "TLS1.3 "),
            ("NORMAL:-VERS-ALL:+VERS-TLS1.2", "TLS1.2 "),
            ("NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-GCM", "TLS1.2 AES-128-GCM"),
            ("NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+AES-256-GCM", "TLS1.2 AES-256-GCM"),
            (
                "NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+CHACHA20-POLY1305",
                "TLS1.2 CHACHA20-POLY1305"
            ),
            ("NORMAL:-GROUP-ALL:+GROUP-SECP256R1", "TLS1.3 "),
        ])
    func spoken(_ offered: String, _ agreed: String) async throws {
        try await withListener { port in
            let client = await TLSClient(port: port, priorities: offered)
            try #require(client.failure == nil, "\(offered): \(client.failure ?? "")")
            #expect(client.agreed.hasPrefix(agreed), "\(client.agreed)")
            await client.send(
                "GET /echo/over-tls HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(await client.rest().contains("over-tls"))
        }
    }

    @Test(
        "Older versions, and ciphers without authentication or forward secrecy, are refused",
        arguments: [
            "NORMAL:-VERS-ALL:+VERS-TLS1.1", "NORMAL:-VERS-ALL:+VERS-TLS1.0",
            "NORMAL:-VERS-ALL:+VERS-TLS1.0:+VERS-TLS1.1",
            "NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-CBC:+AES-256-CBC",
            "NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+3DES-CBC",
            "NORMAL:-VERS-ALL:+VERS-TLS1.2:-KX-ALL:+RSA",
            "NORMAL:-VERS-ALL:+VERS-TLS1.2:-KX-ALL:+DHE-RSA",
            "NORMAL:-VERS-ALL:+VERS-TLS1.2:-CIPHER-ALL:+AES-128-CCM-8",
        ])
    func refused(_ offered: String) async throws {
        try await withListener { port in
            let client = await TLSClient(port: port, priorities: offered)
            #expect(client.failure != nil, "\(offered) was agreed on: \(client.agreed)")
        }
    }
}
