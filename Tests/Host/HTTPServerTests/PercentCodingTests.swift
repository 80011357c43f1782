import Testing

@testable import HTTPServer

/// Tests percent-encoding by the rules of RFC 3986.
@Suite struct PercentCodingTests {
    @Test(
        "Well-formed text is decoded",
        arguments: [
            ("", ""), ("plain-text_~.", "plain-text_~."), ("a%20b", "a b"), ("%C3%A4", "ä"),
            ("%c3%a4", "ä"), ("100%25", "100%"), ("%F0%9F%93%84", "📄"), ("a+b", "a+b"),
        ])
    func decodes(_ encoded: String, _ text: String) {
        #expect(PercentCoding.decode(encoded) == text)
    }

    @Test(
        "Malformed text gives nothing",
        arguments: ["%", "%2", "%zz", "%2g", "a%", "%00", "%C3", "%ff", "%C0%AF", "%ED%A0%80"])
    func refuses(_ encoded: String) {
        #expect(PercentCoding.decode(encoded) == nil)
    }

    @Test(
        "A path's parts are decoded one by one",
        arguments: [
            ("/", []), ("/a", ["a"]), ("/a/b%20c", ["a", "b c"]), ("/a/", ["a", ""]),
            ("//", ["", ""]), ("/a..b/...", ["a..b", "..."]),
        ] as [(String, [String])])
    func parts(_ path: String, _ parts: [String]) {
        #expect(PercentCoding.parts(ofPath: path) == parts)
    }

    @Test(
        "A path that climbs, hides a slash or does not begin with one is refused",
        arguments: [
            "", "a", "*", "/..", "/a/../b", "/%2e%2e/b", "/a%2Fb", "/.", "/%2E", "/a%00", "/%",
        ])
    func climbs(_ path: String) {
        #expect(PercentCoding.parts(ofPath: path) == nil)
    }
}
