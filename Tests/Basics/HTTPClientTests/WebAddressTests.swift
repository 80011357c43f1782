import Testing

@testable import HTTPClient

@Suite struct WebAddressTests {
    @Test(
        "A text that is not an address, or holds a secret, is refused",
        arguments: [
            "", "paperless", "ftp://host/", "http://", "https:///path", "http://ada:secret@host/",
            "http://host/a b", "http://hôst/", "http://host/#part", "file:///etc/passwd",
            "http://host*", "http://[::1", "http://[.:]/", "http://[::1]:x/", "http://ho\"st/",
        ])
    func refused(text: String) {
        #expect(throws: WebAddress.Fault.self) { try WebAddress(text) }
    }

    @Test(
        "Names, numbers and ports are accepted as hosts",
        arguments: [
            "https://scans.local", "http://paperless_web:8000/api", "http://192.168.1.5:80/",
            "https://[fe80::1]:8443/a?b=c", "HTTP://Host?x",
        ])
    func accepted(text: String) {
        #expect(throws: Never.self) { try WebAddress(text) }
    }

    @Test("Paths are added before the query")
    func appending() throws {
        #expect(try WebAddress("https://Host/base?x=1").appending("a/b") == "https://host/base/a/b")
        #expect(try WebAddress("http://host").appending("a") == "http://host/a")
        #expect(WebAddress.encoded("a b/ü&") == "a%20b%2F%C3%BC%26")
    }
}
