import Documents
import Testing

@Suite struct MoneyTextTests {
    @Test(
        "Amounts are read in the notations of many countries",
        arguments: [
            ("12.50", 1250, nil), ("12,50", 1250, nil), ("1,234.56", 123_456, nil),
            ("1.234,56", 123_456, nil),
            ("1'234.50", 123_450, nil), ("$12.50", 1250, "USD"), ("12,50€", 1250, "EUR"),
            ("£3.05", 305, "GBP"),
            ("RM10.00", 1000, "MYR"), ("-0.02", -2, nil), ("12.-", 1200, nil), ("l2.5O", 1250, nil),
            ("3.20A", 320, nil),
        ] as [(String, Int, String?)])
    func amounts(_ text: String, _ hundredths: Int, _ currency: String?) {
        #expect(MoneyText(text)?.hundredths == hundredths)
        #expect(MoneyText(text)?.currency == currency)
    }

    @Test(
        "Text that is no amount is refused",
        arguments: [
            "12", "1.2.3", "14.03.2026", "17:42", "01225", "12.5", "1,23,456.00", "", ".", "A",
            "99999999999.00", "12.345",
        ])
    func none(_ text: String) {
        #expect(MoneyText(text) == nil)
    }
}
