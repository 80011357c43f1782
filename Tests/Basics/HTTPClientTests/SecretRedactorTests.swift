import Testing

@testable import HTTPClient

/// Tests which texts are replaced, and which are left unchanged.
@Suite struct SecretRedactorTests {
    @Test(
        "Text without the secret stays unchanged, whatever characters it has",
        arguments: [
            "", "a", "\u{0}\u{1F600} %zz %", "&#;&#xFFFFFFFF;&amp;&#99999999;", "\\u12\\", "%2",
            "\\uD800", "100 % sure", "the task 12 of 34",
        ])
    func untouched(_ text: String) {
        let redactor = SecretRedactor(["sesame", "12", "abc", ""])
        #expect(redactor.redacted(text) == text)
        #expect(redactor.redacted(text, isCut: true) == text)
    }

    @Test("A secret at the boundary of two pieces, and at a cut, is found")
    func borders() {
        let redactor = SecretRedactor(["sesame-open"])
        for before in [0, 65_530, 65_536, 131_060] {
            let text = String(repeating: "x", count: before) + "%73esame-open" + "y"
            let safe = redactor.redacted(text)
            #expect(safe == String(repeating: "x", count: before) + "[secret]y")
        }
        #expect(redactor.redacted("it was sesam", isCut: true) == "it was [secret]")
        #expect(redactor.redacted("it was sesam") == "it was sesam")
    }

    @Test("If secrets overlap, no part of them is left")
    func overlapping() {
        let redactor = SecretRedactor(["abcdef", "defghi", "cdef"])
        #expect(redactor.redacted("-abcdefghi-abcdef-") == "-[secret]-[secret]-")
    }
}
