import Documents

/// Finds the tax that a receipt's sum includes.
enum ReceiptTax {
    private static let names: Set<String> = [
        "tax", "vat", "gst", "sst", "hst", "pst", "mwst", "ust", "steuer", "tva", "iva", "btw",
        "moms",
    ]
    /// Words that show that a row's amount is more than the tax.
    private static let others: Set<String> = [
        "excl", "excluding", "exclusive", "incl", "including", "inclusive", "inkl", "net", "netto",
        "before", "after", "id", "reg", "no", "invoice", "cash", "change", "rounding",
    ]

    /// - Parameter total: the sum that was paid.
    static func find(_ rows: [ReceiptRow], total: Finding?) -> Finding? {
        let sum = total.flatMap { MoneyText($0.text)?.hundredths }
        let known = Set(rows.compactMap { $0.amount?.money.hundredths })
        var best: (finding: Finding, rank: Double)?
        for (index, row) in rows.enumerated() {
            // "G.S.T." becomes three words of one letter.
            let plain = row.plain + [row.plain.filter { $0.count == 1 }.joined()]
            guard plain.contains(where: names.contains), !plain.contains(where: others.contains),
                let (money, word) = row.amount, money.hundredths >= 0
            else { continue }
            if let sum, 2 * money.hundredths > sum { continue }
            let isPart = sum.map { known.contains($0 - money.hundredths) } ?? false
            var rank = 1 + 0.2 * Double(index) / Double(rows.count)
            if isPart, money.hundredths > 0 { rank += 1 }
            if plain.contains("total") || plain.contains("summe") { rank += 0.5 }
            if money.hundredths == 0 { rank -= 0.5 }
            guard rank > best?.rank ?? 0 else { continue }
            let finding = Finding(
                kind: .tax, format: money.currency ?? total?.format, text: money.text,
                confidence: min(0.95, word.confidence * (isPart ? 0.95 : 0.7)), box: word.box)
            best = (finding, rank)
        }
        return best?.finding
    }
}
