import Testing

@testable import CaptureKit

/// Typical mistakes in hand-written JSON are named, with their place.
@Suite struct JSONFaultTests {
    @Test(
        "A mistake in JSON is described, with its place",
        arguments: [
            (#"{"a": NaN}"#, "'NaN' at byte 7"), (#"{"a": -Infinity}"#, "'Infinity' at byte 8"),
            (#"{"a": True}"#, "write true"), (#"{"a": None}"#, "write null"),
            ("{'a': 1}", "strings have double quotes"), (#"{"a": 1,}"#, "comma"),
            (#"[1, ]"#, "comma"), ("{\"a\": \"b\tc\"}", "byte 9 is a control character"),
            (#"{"a": "b"#, "a string does not end"),
        ])
    func named(_ text: String, _ words: String) throws {
        let told = try #require(JSONFault.words(Array(text.utf8)))
        #expect(told.contains(words), "\(told)")
    }

    @Test("The error for a byte that is not UTF-8 has its place, after longer characters too")
    func utf8() {
        let text = Array("{\"é\": \"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
        #expect(JSONFault.words(text) == "byte 9 is not UTF-8")
    }

    @Test(
        "Valid characters in strings are no mistakes, and unknown mistakes are not described",
        arguments: [
            #"{"a": "NaN, 'it' \" None,]"}"#, #"{"a": [1, 2], "b": null}"#, "nonsense", "",
        ])
    func silent(_ text: String) { #expect(JSONFault.words(Array(text.utf8)) == nil) }
}
