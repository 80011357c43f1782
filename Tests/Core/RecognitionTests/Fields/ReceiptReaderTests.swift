import Documents
import Testing

@testable import Recognition

@Suite struct ReceiptReaderTests {
    private static func receipt(_ lines: [String]) -> Page {
        var page = SetPage()
        page.line(lines[0], y: 100, scale: 1.5)
        page.lines(Array(lines.dropFirst()), from: 200)
        return page.page
    }

    private static func text(_ kind: Finding.Kind, _ lines: [String]) -> String? {
        ReceiptReader.fields(of: receipt(lines)).first { $0.kind == kind }?.text
    }

    private static let shop = [
        "GREEN GROCER", "12 Mill Street, Bath", "Tel 01225 555 019", "Date: 14/03/2026 17:42",
        "Apples 3.20",
        "Bread 2.75", "SUBTOTAL 5.95", "TAX 0.60", "TOTAL 6.55", "CASH 10.00", "CHANGE 3.45",
    ]

    @Test("Merchant, date and total are found, each with place and confidence")
    func whole() throws {
        let fields = ReceiptReader.fields(of: Self.receipt(Self.shop))
        #expect(fields.map(\.text) == ["GREEN GROCER", "2026-03-14", "6.55", "0.60"])
        #expect(fields.map(\.kind) == [.merchant, .date, .total, .tax])
        #expect(fields.allSatisfy { $0.confidence > 0.5 && $0.box != nil })
        // Subtotal and tax add up to the total.
        #expect(try #require(fields.first { $0.kind == .total }).confidence > 0.85)
    }

    @Test(
        "The total has many names, and is not the subtotal, the tax, the change or the cash",
        arguments: [
            (["TOTAL 12.50"], "12.50"), (["Subtotal 10.00", "GST 0.60", "Total: $10.60"], "10.60"),
            (["Zwischensumme 9,00", "SUMME EUR 11,90", "Bar 20,00", "Rückgeld 8,10"], "11.90"),
            (["Gesamtbetrag 1.234,56 €"], "1234.56"), (["AMOUNT DUE", "45.10"], "45.10"),
            (["Total tax 1.20", "Total 13.20", "Total items 3"], "13.20"),
            (["Total (incl. GST) RM 8.45", "Cash 10.00"], "8.45"), (["Balance Due 99.00"], "99.00"),
            (["T0TAL 7.30"], "7.30"), (["TOTAL TTC 18,20 EUR"], "18.20"),
            (["Total 20.02", "Rounding -0.02", "Rounded Total 20.00", "Cash 50.00"], "20.00"),
            (["Grand Total 87.08", "Rounding Adj 0.02", "Net Total 87.10", "GST 4.93"], "87.10"),
            (["SUB-TOTAL 49.06", "GST 2.94", "TOTAL 52-00", "CASH 52-00"], "52.00"),
            (["Total with GST 43.48", "Total 41 50", "Cash 41 50", "Change 0.00"], "41.50"),
            (["Amount incl. GST 5.00", "Accepted total 10.00", "Change 5.00"], "5.00"),
        ])
    func totals(_ lines: [String], _ total: String) {
        #expect(Self.text(.total, ["CORNER SHOP", "Thing 1.00"] + lines) == total)
    }

    @Test(
        "The tax is the tax in the total, and not the net or a number",
        arguments: [
            (["Subtotal 10.00", "GST 0.60", "Total 10.60"], "0.60"),
            (["GST ID 001234567890", "Net 16.80", "VAT 20% 3.36", "Total 20.16"], "3.36"),
            (["Total 15.90", "GST Summary", "S @6% 15.00 0.90", "Total GST 0.90"], "0.90"),
            (["Summe 11,90", "MwSt 19% 9,90 1,90"], "1.90"), (["Total 5.00"], nil),
        ])
    func tax(_ lines: [String], _ tax: String?) {
        #expect(Self.text(.tax, ["CORNER SHOP", "Thing 1.00"] + lines) == tax)
    }

    @Test("The currency is that of the total")
    func currency() {
        #expect(Self.text(.currency, ["KIOSK", "Total € 4,20"]) == "EUR")
        #expect(Self.text(.currency, ["KIOSK", "Total 4.20"]) == nil)
    }

    @Test("If no line is labeled as the total, the highest amount is used, with little confidence")
    func unnamed() throws {
        let fields = ReceiptReader.fields(
            of: Self.receipt(["KIOSK", "Paper 2.10", "Pen 1.40", "Cash 5.00"]))
        let total = try #require(fields.first { $0.kind == .total })
        #expect(total.text == "2.10")
        #expect(total.confidence < 0.5)
    }

    @Test("A page without these texts has no fields")
    func nothing() {
        #expect(ReceiptReader.fields(of: SetPage().page).isEmpty)
        #expect(ReceiptReader.fields(of: Self.receipt(["", ""])).isEmpty)
    }
}

@Suite struct DateTextTests {
    @Test(
        "Dates are read in many forms",
        arguments: [
            ("2026-11-22", "2026-11-22"), ("22.11.2026", "2026-11-22"), ("22/11/26", "2026-11-22"),
            ("11/22/2026", "2026-11-22"),
            ("22 Nov 2026", "2026-11-22"), ("November 22, 2026", "2026-11-22"),
            ("22. März 2026", "2026-03-22"),
            ("22-Nov-26", "2026-11-22"), ("O5 Mart 2018", "2018-03-05"),
            ("Date: 3.4.2026 12:00", "2026-04-03"),
            ("29/02/2024", "2024-02-29"),
        ])
    func forms(_ text: String, _ day: String) {
        #expect(DateText(text.split(separator: " ").map(String.init))?.text == day)
    }

    @Test("It is decided which of two numbers is the month if possible, and otherwise left open")
    func order() {
        #expect(DateText(["3/4/2026"])?.text == "2026-04-03")
        #expect(DateText(["3/4/2026"])?.otherText == "2026-03-04")
        #expect(DateText(["3/4/2026"], monthFirst: true)?.text == "2026-03-04")
        #expect(DateText(["13/4/2026"], monthFirst: true)?.text == "2026-04-13")
    }

    @Test(
        "A text that is not a date gives no date",
        arguments: [
            "31.02.2026", "29/02/2026", "1.2", "2026", "99/99/99", "", "12:30:15", "1.2.3.4",
            "192.168.1.1",
        ])
    func none(_ text: String) {
        #expect(DateText([text]) == nil)
    }
}

@Suite struct CardReaderTests {
    private static func card(_ number: Int, _ name: String, _ lines: [String]) -> Page {
        var set = SetPage(number)
        set.line(name, y: 150, scale: 1.6)
        set.lines(lines, from: 1200)
        var page = set.page
        page.provenance.steps = [
            StepReport(
                name: "card", summary: "", changed: false, milliseconds: 0,
                found: CardReader.fields(of: page))
        ]
        return page
    }

    @Test("A card's name is its largest line at the top, and its value is the price on it")
    func fields() {
        let card = Self.card(1, "Storm Giant", ["Creature", "Costs 4.50 life", "€ 3,20"])
        #expect(card.findings.map(\.text) == ["Storm Giant", "3.20"])
        #expect(card.findings.last?.format == "EUR")
    }

    @Test("A session has an entry for each card, the number of cards, and their total value")
    func session() {
        let cards = [
            Self.card(1, "Storm Giant", ["€ 3,20"]), Self.card(2, "Moss Elf", ["no price"]),
            Self.card(3, "Sea Drake", ["1.05 EUR"]),
        ]
        let found = CardReader.session(cards)
        #expect(found.entries.map(\.title) == ["Storm Giant", "Moss Elf", "Sea Drake"])
        #expect(found.entries.map { $0.fields.first?.value } == ["3.20 EUR", nil, "1.05 EUR"])
        #expect(found.fields.map(\.name) == ["cards", "total-value"])
        #expect(found.fields.map(\.value) == ["3", "4.25 EUR"])
        #expect(CardReader.session([]).isEmpty)
    }
}
