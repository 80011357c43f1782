import Documents
import Testing

@testable import Recognition

/// A line of words with letters 20 pixels wide.
private func reading(_ lines: String..., confidence: Double = 0.9) -> PageText {
    let set = lines.enumerated().map { row, line in
        var x = 0
        var words: [Word] = []
        for part in line.split(separator: " ") {
            words.append(
                Word(
                    text: String(part),
                    box: Box(x: x, y: 60 * row, width: 20 * part.count, height: 30),
                    confidence: confidence))
            x += 20 * part.count + 20
        }
        return TextLine(words: words, box: Box(x: 0, y: 60 * row, width: max(1, x), height: 30))
    }
    let box = Box(x: 0, y: 0, width: 1000, height: 60 * lines.count)
    return PageText(
        blocks: [TextBlock(paragraphs: [Paragraph(lines: set, box: box)], box: box)],
        languages: ["eng"])
}

@Suite struct SerialReaderTests {
    @Test(
        "Each sort of number is found after its label and without one",
        arguments: [
            ("IMEI: 490154203237518", SerialKind.imei, "490154203237518"),
            ("49 015420 323751 8", .imei, "490154203237518"),
            ("IMEI2 490154203237518", .imei2, "490154203237518"),
            ("Wi-Fi Address 3C:22:FB:0A:9D:E1", .mac, "3C:22:FB:0A:9D:E1"),
            ("ISBN 978-3-16-148410-0", .isbn, "9783161484100"),
            ("ISBN 0-306-40615-2", .isbn, "0306406152"),
            ("4 006381 333931", .ean, "4006381333931"),
            ("Serial No. C02XG0FDH7JY", .apple, "C02XG0FDH7JY"),
            ("(S) Serial No. F4GVN9QX0M", .apple, "F4GVN9QX0M"),
            ("S/N:8841-77A2-09", .labeled, "884177A209"),
        ])
    func kinds(_ line: String, _ kind: SerialKind, _ text: String) throws {
        let found = try #require(
            SerialReader(kinds: kind == .labeled ? [.labeled] : SerialKind.allCases).read([
                reading(line)
            ]).first)
        #expect(found.text == text)
        #expect(found.kind == kind)
    }

    @Test(
        "Similar characters are decided by the number's form or check digit",
        arguments: [
            // An IMEI consists of digits only.
            ("IMEI 49O1S42O3237518", "490154203237518"),
            ("IMEI 490154203Z37518", "490154203237518"),
            // Apple's numbers have no O and no I, and have a letter for the year.
            ("Serial C02XGOFDH7JY", "C02XG0FDH7JY"), ("Serial CO2XG0FDH7JY", "C02XG0FDH7JY"),
            ("MAC 3C:22:FB:OA:9D:EI", "3C:22:FB:0A:9D:E1"),
        ])
    func confusable(_ line: String, _ text: String) throws {
        let found = SerialReader().read([reading(line)])
        #expect(found.first?.text == text)
    }

    @Test("The letter for the year distinguishes 5 from S if the number is known to be Apple's")
    func year() {
        let found = SerialReader(kinds: [.apple]).read([reading("Serial C025GIFDH7JY")])
        #expect(found.first?.text == "C02SG1FDH7JY")
    }

    @Test("A wrong check digit that several changes could correct is corrected with low confidence")
    func mended() throws {
        let found = try #require(SerialReader().read([reading("IMEI 490164203237518")]).first)
        #expect(CheckDigit.luhn.accepts(found.text))
        #expect(found.confidence < SerialReader.certain)
        #expect(([found.text] + found.alternatives).contains("490154203237518"))
    }

    @Test("If no rule decides, the other character is offered as an alternative")
    func alternatives() throws {
        let found = try #require(
            SerialReader(kinds: [.apple]).read([reading("Serial F4GVN9QX8M")]).first)
        #expect(found.text == "F4GVN9QX8M")
        #expect(found.alternatives.contains("F4GVN9QXBM"))
    }

    @Test(
        "If readings differ, the majority decides, and the result is not certain"
    )
    func voting() throws {
        let reader = SerialReader(kinds: [.apple])
        let agreed = Array(repeating: reading("Serial F4GVN9QX8M"), count: 5)
        let same = try #require(reader.read(agreed).first)
        #expect(same.confidence >= SerialReader.certain)
        let split =
            Array(repeating: reading("Serial F4GVN9QX8M"), count: 3)
            + Array(repeating: reading("Serial F4GVN9QXBM"), count: 2)
        let doubtful = try #require(reader.read(split).first)
        #expect(doubtful.text == "F4GVN9QX8M")
        #expect(doubtful.confidence < SerialReader.certain)
        #expect(doubtful.alternatives.first == "F4GVN9QXBM")
    }

    @Test(
        "Text that is not a number gives no number",
        arguments: [
            "Designed in California", "Model A1466 EMC 2632", "IMEI 490154203237", "",
            "Rated 20.3V 3A Max.",
        ])
    func none(_ line: String) {
        #expect(SerialReader().read([reading(line)]).isEmpty)
        #expect(SerialReader().read([]).isEmpty)
    }

    @Test("A user's own pattern is found, and decides between similar characters if possible")
    func own() throws {
        let pattern = try SerialPattern(#"[A-Z]{2}\d{6}"#)
        let found = SerialReader(pattern: pattern).read([reading("Asset KLI2O4S6 here")])
        #expect(found.first?.text == "KL120456")
        #expect(found.first?.kind == .own)
        let checked = SerialReader(pattern: try SerialPattern(#"\d{8}"#), check: .luhn)
        // 7992739871 with its check digit 3 is the standard's example; the last eight digits are
        // used here.
        #expect(
            checked.read([reading("92739871")]).first?.text != "92739871"
                || CheckDigit.luhn.accepts("92739871"))
    }
}

@Suite struct CheckDigitTests {
    @Test(
        "Known numbers are right, and wrong with any digit changed",
        arguments: [
            (CheckDigit.luhn, "490154203237518"), (.luhn, "79927398713"), (.gtin, "4006381333931"),
            (.gtin, "96385074"),
            (.gtin, "036000291452"), (.gtin, "9783161484100"), (.isbn10, "0306406152"),
            (.isbn10, "080442957X"),
        ])
    func known(_ check: CheckDigit, _ text: String) {
        #expect(check.accepts(text))
        for index in text.indices where text[index].isNumber {
            for digit in "0123456789" where digit != text[index] {
                var wrong = text
                wrong.replaceSubrange(index...index, with: String(digit))
                #expect(!check.accepts(wrong))
            }
        }
        #expect(!check.accepts("") && !check.accepts("A") && !check.accepts("٣٣٣"))
    }
}

@Suite struct SerialPatternTests {
    private func matches(_ pattern: String, _ text: String) throws -> Bool {
        let lattice = LetterLattice([(text.map(LetterLattice.spread), 1)])
        return PatternSearch.best(lattice, try SerialPattern(pattern), count: 50).contains {
            $0.text == text
        }
    }

    @Test(
        "Patterns accept the elements of regular expressions",
        arguments: [
            (#"\d{3}"#, "123", true), (#"\d{3}"#, "1234", false), ("A?B+", "BBB", true),
            ("A?B+", "AB", true),
            ("A?B+", "A", false), ("(AB|CD)*", "ABCDAB", true), ("(AB|CD)*", "ABC", false),
            ("[^A-Y]", "Z", true),
            ("[^A-Y]", "K", false), ("^X.{2,3}$", "XA1", true), ("^X.{2,3}$", "XA1B2", false),
            ("a", "A", true),
            ("(?:A|B|C)9", "C9", true), ("A|B|C", "C", true), ("A|B|C", "D", false),
        ])
    func takes(_ pattern: String, _ text: String, _ isTaken: Bool) throws {
        #expect(try matches(pattern, text) == isTaken)
    }

    @Test(
        "The error for an invalid pattern says where it is wrong",
        arguments: [
            "[A", "(A", "A)", "*", "A{", "A{3,2}", "A{99}", #"\p"#, #"A\"#, "[^\\w]",
            String(repeating: "A", count: 300), "((((A{40}){40}){40}){40})",
        ])
    func failures(_ pattern: String) {
        #expect(throws: SerialPattern.Failure.self) { try SerialPattern(pattern) }
    }

    @Test("A pattern on which other matchers hang is matched quickly")
    func harmless() throws {
        let pattern = try SerialPattern("(A*)*B")
        let lattice = LetterLattice([(Array(repeating: LetterLattice.spread("A"), count: 40), 1)])
        #expect(PatternSearch.best(lattice, pattern).isEmpty)
    }
}
