import Testing

@testable import HostClient

/// The limits of JSON from another host.
@Suite struct JSONBoundsTests {
    @Test(
        "Numbers and nestings that hosts send are accepted",
        arguments: [
            "", "{}", "[0, -1, 1.5e3, 0.000001]", #"{"a": "-1e999 [[[[ \" 99999999999999999999"}"#,
            "9007199254740992", "-9007199254740992", "[1e-320]", #""open"#, #""\"#, "]]]]",
        ])
    func kept(_ text: String) { #expect(JSONBounds.areKept(by: Array(text.utf8))) }

    @Test(
        "Numbers that could make sums overflow are refused, however they are written",
        arguments: [
            "9007199254740994", "-9223372036854775808", "9223372036854775807",
            "18446744073709551615", "1e308", "-1e308", "1e16", "[1e999]", "{\"a\":-1e999}",
            String(repeating: "9", count: 1000), "0." + String(repeating: "0", count: 100),
        ])
    func refused(_ text: String) { #expect(!JSONBounds.areKept(by: Array(text.utf8))) }

    @Test(
        "Lists and objects that are nested too deeply are refused",
        arguments: ["[", "{\"a\":"])
    func deep(_ open: String) {
        #expect(JSONBounds.areKept(by: Array(String(repeating: open, count: 64).utf8)))
        #expect(!JSONBounds.areKept(by: Array(String(repeating: open, count: 65).utf8)))
        #expect(!JSONBounds.areKept(by: Array(String(repeating: open, count: 1_000_000).utf8)))
    }
}
