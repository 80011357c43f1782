import HTTPServer
import Testing

@testable import WebServer

/// Tests which requests of a browser are accepted.
@Suite struct HostCheckTests {
    private let check = HostCheck(names: ["scanner.local"])

    private func status(_ method: String, _ headers: [(String, String)]) -> Int? {
        let head = HTTPRequestHead(
            method: method, path: [], headers: headers.map { (name: $0.0, value: $0.1) })
        do {
            try check.check(head)
            return nil
        } catch { return error.status }
    }

    @Test(
        "The host answers to its addresses, to localhost and to its own names",
        arguments: [
            "localhost", "localhost:8470", "LocalHost:1", "127.0.0.1:8470", "192.168.1.7",
            "[::1]:8470", "[fe80::1]", "[::ffff:127.0.0.1]", "localhost:", "localhost:65535",
            "scanner.local", "Scanner.Local:8470",
        ])
    func known(_ host: String) {
        #expect(status("GET", [("Host", host)]) == nil)
        #expect(status("POST", [("Host", host), ("Origin", "http://" + host)]) == nil)
    }

    @Test(
        "A name that merely resolves to this machine is refused",
        arguments: [
            "evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example", "1.2.3",
            "1.2.3.4.5", "256.1.1.1", "1.2.3.x",
            "0x7f.1.1.1", "", "[evil]", "scanner.local.evil", "١.1.1.1",
        ])
    func foreignName(_ host: String) { #expect(status("GET", [("Host", host)]) == 403) }

    @Test(
        "Text that is no host is refused",
        arguments: [
            "[]", "[]:8470", "[::1", "[::1]8470", "[::1]x", "[1:2]", "[:]", "[....]", "[::1%lo]",
            "[fe80::1::2]", "[127.0.0.1]", "localhost:99999", "localhost:65536", "localhost:0",
            "localhost:80x", "localhost:-1", "localhost:+80", "localhost: 80", "localhost:80:80",
            "localhost:٨٠", "127.0.0.1:99999999999999999999", "127.0.0.01", ":8470", "::1",
        ])
    func malformed(_ host: String) {
        for method in ["GET", "POST", "PATCH"] { #expect(status(method, [("Host", host)]) == 403) }
    }

    @Test("A request without a host, or with two, is malformed")
    func hosts() {
        #expect(status("GET", []) == 400)
        #expect(status("GET", [("Host", "localhost"), ("Host", "127.0.0.1")]) == 400)
    }

    @Test(
        "Requests from a page of another site are refused",
        arguments: [
            ("Origin", "http://evil.example"), ("Origin", "http://localhost:9999"),
            ("Origin", "null"),
            ("Origin", "http://localhost.evil.example"), ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Site", "same-site"),
        ])
    func foreignPage(_ name: String, _ value: String) {
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            #expect(status(method, [("Host", "localhost:8470"), (name, value)]) == 403)
        }
    }

    @Test(
        "Another site may lead here by a link, and show nothing from here",
        arguments: [
            ("document", nil), ("iframe", 403), ("frame", 403), ("embed", 403), ("object", 403),
            ("image", 403), ("script", 403), ("style", 403), ("empty", 403), ("video", 403),
        ] as [(String, Int?)])
    func foreignReading(_ destination: String, _ answer: Int?) {
        for (method, site) in [("GET", "cross-site"), ("GET", "same-site"), ("HEAD", "same-site")] {
            let headers = [
                ("Host", "localhost:8470"), ("Sec-Fetch-Site", site),
                ("Sec-Fetch-Dest", destination),
            ]
            #expect(status(method, headers) == answer)
        }
        for site in ["none", "same-origin"] {
            let headers = [
                ("Host", "localhost"), ("Sec-Fetch-Site", site), ("Sec-Fetch-Dest", destination),
            ]
            #expect(status("GET", headers) == nil)
        }
    }

    @Test("A program, and the host's own page, may do everything")
    func own() {
        #expect(status("POST", [("Host", "localhost:8470")]) == nil)
        #expect(
            status(
                "DELETE",
                [
                    ("Host", "localhost:8470"), ("Origin", "http://localhost:8470"),
                    ("Sec-Fetch-Site", "same-origin"),
                ]) == nil)
    }
}
