import Documents
import Testing

@testable import Recognition

@Suite struct SplitRuleTests {
    private func codes(_ texts: String...) -> [Finding] {
        texts.map {
            Finding(kind: .barcode, format: "Code128", text: $0, confidence: 1, corners: [])
        }
    }

    private func mark(_ rules: [String], _ texts: String...) throws -> SplitMark {
        let found = texts.map {
            Finding(kind: .barcode, format: "Code128", text: $0, confidence: 1, corners: [])
        }
        return SplitRule.mark(try rules.map { try SplitRule($0) }, of: found)
    }

    /// The reason why a text is not a rule; nil if it is one.
    private func clause(_ text: String) -> String? {
        do throws(SplitRuleError) {
            _ = try SplitRule(text)
            return nil
        } catch { return error.clause }
    }

    @Test("A sheet is recognized by its own code, and only if sheets are searched for")
    func sheets() throws {
        #expect(try mark(["separator"], "COPYSTAND-SEPARATOR") == SplitMark(.sheet))
        #expect(try mark(["patch-t"], "PatchT") == SplitMark(.sheet))
        #expect(try mark(["patch-t"], "COPYSTAND-SEPARATOR") == SplitMark(.page))
        #expect(try mark(["separator"], "COPYSTAND-SEPARATOR-2", "PATCHT") == SplitMark(.page))
        #expect(try mark(["separator"]) == SplitMark(.page))
        #expect(try mark([], "PATCHT") == SplitMark(.page))
    }

    @Test("A page whose barcode matches begins a document named by the match, or by its group")
    func patterns() throws {
        #expect(
            try mark([#"ASN\d+"#], "4006381333931", "ASN0012") == SplitMark(.first, name: "ASN0012")
        )
        #expect(try mark([#"ASN(?P<name>\d+)"#], "XASN0012Y") == SplitMark(.first, name: "0012"))
        #expect(try mark([#"^ASN\d+$"#], "XASN0012") == SplitMark(.page))
        #expect(try mark(["b.*", #"ä+"#], "käääse") == SplitMark(.first, name: "äää"))
        #expect(try mark([#"(?P<name>x*)ASN"#], "ASN1") == SplitMark(.first))
    }

    @Test(
        "A sheet with another matching code names the next document by that code"
    )
    func namedSheets() throws {
        #expect(try mark(["separator", ".+"], "COPYSTAND-SEPARATOR") == SplitMark(.sheet))
        #expect(
            try mark([".+", "separator"], "ASN7", "COPYSTAND-SEPARATOR")
                == SplitMark(.sheet, name: "ASN7"))
    }

    @Test("The error for a wrong pattern names the wrong part and its place")
    func wrong() throws {
        #expect(try #require(clause(#"ASN[a-"#)).contains("at character 4"))
        #expect(try #require(clause(#"x*ä{2,1}"#)).contains("at character 4"))
        #expect(try #require(clause(#"a(b"#)).hasPrefix("is not a regular expression: missing )"))
        #expect(try #require(clause("(?<name>a)")).contains("(?P<name>…)"))
        #expect(try #require(clause(#"(a)\1"#)).contains(#"'\1'"#))
        #expect(clause("") != nil)
        #expect(clause(String(repeating: "a", count: 1_001)) != nil)
    }

    @Test("A misspelled word is reported, and a pattern that looks like one can still be written")
    func misspelled() throws {
        #expect(try #require(clause("seperator")).contains("'separator'"))
        #expect(try #require(clause("patcht")).contains("'patch-t'"))
        #expect(try mark(["(seperator)"], "seperator") == SplitMark(.first, name: "seperator"))
        #expect(try mark(["SEPARATOR"], "SEPARATOR") == SplitMark(.first, name: "SEPARATOR"))
    }

    @Test(
        "A pattern on which other matchers never end gives its result",
        arguments: ["(a+)+$", "(a|aa)+$", "(.*a){25}$", "((a*)*)*b$"])
    func hostile(_ text: String) throws {
        // A backtracking engine would need 2 to the power of the text's length steps.
        let long = String(repeating: "a", count: 40_000) + "!"
        #expect(try mark([text], long).kind == .page)
    }

    @Test("A pattern that would need too much memory is refused")
    func greedy() {
        #expect(clause("((((x{1000}){1000}){1000}){1000}){1000}") != nil)
    }

    @Test(
        "Any text is a rule or is refused, and any name by a rule is a part of the code")
    func anything() throws {
        var generator = SystemRandomNumberGenerator()
        let signs = Array("aA1\\d+*?()[]{}|^$.<>P:,-=! äß\u{0}\u{202e}😀")
        func word(_ longest: Int) -> String {
            String(
                (0..<Int.random(in: 0...longest, using: &generator)).map { _ in
                    signs.randomElement()!
                })
        }
        for _ in 0..<3_000 {
            let (text, code) = (word(12), word(20))
            do throws(SplitRuleError) {
                let mark = SplitRule.mark([try SplitRule(text)], of: codes(code))
                if let name = mark.name { #expect(code.contains(name), "\(text) in \(code)") }
            } catch { #expect(!error.clause.isEmpty) }
        }
    }
}
