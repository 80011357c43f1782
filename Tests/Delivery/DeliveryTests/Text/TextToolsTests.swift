import Testing

@testable import Delivery

@Suite struct TextToolsTests {
    @Test(
        "A moment is written in universal time",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_777_627_800, "2026-05-01T09:30:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
            (1.999, "1970-01-01T00:00:01Z"), (.nan, "1970-01-01T00:00:00Z"),
            (.infinity, "1970-01-01T00:00:00Z"), (1e300, "1970-01-01T00:00:00Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Double, String)])
    func timestamps(seconds: Double, text: String) {
        #expect(Timestamp(seconds: seconds).iso8601 == text)
    }

    @Test("PDF and TIFF have their own forms of a moment")
    func forms() {
        let moment = Timestamp(seconds: 1_777_627_805)
        #expect(moment.pdf == "D:20260501093005Z")
        #expect(moment.tiff == "2026:05:01 09:30:05")
    }

    @Test(
        "Decimals have no exponent and no trailing zeros",
        arguments: [
            (0, 3, "0"), (1.5, 3, "1.5"), (-0.25, 3, "-0.25"), (0.0004, 3, "0"),
            (12.0305, 3, "12.031"),
            (-0.0004, 3, "0"), (1e20, 3, "1000000000000"), (.nan, 2, "0"), (595.2, 4, "595.2"),
            (2.05, 2, "2.05"), (7, 0, "7"),
        ] as [(Double, Int, String)])
    func decimals(value: Double, digits: Int, text: String) {
        #expect(decimal(value, digits: digits) == text)
    }

    @Test("XML text has its special characters escaped and forbidden ones left out")
    func xml() {
        #expect(
            xmlEscaped("a<b>&\"'\u{0}\u{8}\u{FFFE}\u{85}\n\u{1F600}é")
                == "a&lt;b&gt;&amp;&quot;&#39; \u{1F600}é")
    }

    @Test("Control characters in words are removed, and single spaces are kept")
    func words() {
        #expect(cleaned(" a\u{1}\t\n b\u{7F} ") == "a b")
        #expect(cleaned("\u{2003}\u{0}\u{FFFF}") == "")
        #expect(cleaned("plain") == "plain")
    }

    @Test(
        "Language tags follow BCP 47",
        arguments: [
            ("en", "en"), ("chi_sim", "chi-sim"), ("script/Latin", nil), ("", nil), (nil, nil),
            ("en-", nil), ("a\"b", nil), ("123", nil), ("sl-rozaj-1994", "sl-rozaj-1994"),
        ] as [(String?, String?)])
    func languages(name: String?, tag: String?) {
        #expect(languageTag(name) == tag)
    }

    @Test("Paths are quoted for the shell")
    func quoting() {
        #expect(shellQuoted("/a/b-1.x") == "/a/b-1.x")
        #expect(shellQuoted("my scans") == "'my scans'")
        #expect(shellQuoted("it's") == "'it'\\''s'")
    }
}
