import Testing

@testable import FileNames

@Suite struct JSONValueTests {
    let answer =
        #"{"prices": {"market": 12.5, "list": [1, {"name": "x"}]}, "ok": true, "no": null, "n": 3}"#

    @Test(
        "Values are found by their paths",
        arguments: [
            ("prices.market", "12.5"), ("prices.list.1.name", "x"), ("prices.list.0", "1"),
            ("ok", "true"),
            ("n", "3"), ("no", nil), ("prices", nil), ("prices.list.9", nil), ("", nil),
            ("prices..market", nil),
        ])
    func places(path: String, words: String?) {
        #expect(JSONValue(Array(answer.utf8))?.value(at: path)?.words == words)
    }

    @Test("A text that is not JSON has no values", arguments: ["", "{", "<html>", "\u{0}", "[1,"])
    func nonsense(text: String) {
        #expect(JSONValue(Array(text.utf8)) == nil)
    }

    @Test(
        "JSON is read as it is written",
        arguments: [
            (#" {"a" : [1, -2.5, "x\n\u00fc\ud83d\ude00\/", true, null] } "#, "a.2", "x\nü😀/"),
            (#"{"a":1e3,"b":{}}"#, "a", "1000"), (#"[[],{},"" , 7]"#, "3", "7"),
            (#"{"a":9223372036854775807}"#, "a", "9223372036854775807"),
            (#"["\ud800x"]"#, "0", "\u{FFFD}x"), (#"{"a":1,"a":2}"#, "a", "2"),
        ])
    func json(text: String, place: String, words: String) {
        #expect(JSONValue(Array(text.utf8))?.value(at: place)?.words == words)
    }

    @Test(
        "What is not JSON, or no service's answer, is not read",
        arguments: [
            "", "[", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "nul", "tru", "\"a",
            "\"\\x\"",
            "\"\\u12\"", "\"\u{1}\"", "1e999", "-", "+1", "1-2", "[]]", "{} {}",
            String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
            String(repeating: "[", count: 1_000_000),
            String(repeating: "{\"a\":", count: 1_000_000),
        ])
    func notJSON(text: String) { #expect(JSONValue(Array(text.utf8)) == nil) }

    @Test("Four megabytes of deeply nested values are read in one pass", .timeLimit(.minutes(1)))
    func manyValues() {
        let depth = 60
        let text =
            String(repeating: "[", count: depth) + String(repeating: "\"a\",", count: 1_000_000)
            + "1" + String(repeating: "]", count: depth)
        #expect(JSONValue(Array(text.utf8)) != nil)
    }
}
