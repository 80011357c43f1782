import Documents

/// Finds the paid sum among a receipt's amounts.
enum ReceiptTotal {
    /// Words that name the sum, in lowercase, with the most certain ones first.
    private static let names: [(words: [String], rank: Double)] = [
        (["grand", "total"], 3), (["amount", "due"], 3), (["balance", "due"], 3),
        (["total", "due"], 3),
        (["total", "amount"], 2.6), (["total", "sales"], 2), (["amount", "payable"], 3),
        (["zu", "zahlen"], 3), (["gesamtbetrag"], 3), (["gesamtsumme"], 3), (["endbetrag"], 3),
        (["rechnungsbetrag"], 3),
        (["net", "total"], 2.2), (["nett", "total"], 2.2), (["total", "ttc"], 3),
        (["montant", "total"], 3), (["net", "a", "payer"], 3),
        (["total", "a", "pagar"], 3), (["totale", "complessivo"], 3), (["te", "betalen"], 3),
        (["to", "pay"], 2.4),
        (["rounded", "total"], 3.2), (["total", "rounded"], 3.2), (["total"], 2), (["summe"], 2.2),
        (["gesamt"], 2), (["totale"], 2.2),
        (["totaal"], 2.2), (["betrag"], 1.5), (["importe"], 1.5), (["montant"], 1.5),
        (["amount"], 1.2), (["balance"], 1),
    ]

    /// Words for other amounts, even beside a word for the sum.
    private static let others: Set<String> = [
        "subtotal", "sub", "tax", "vat", "gst", "sst", "mwst", "ust", "steuer", "tva", "iva", "btw",
        "change", "rückgeld", "rueckgeld",
        "cash", "bar", "gegeben", "tendered", "tender", "given", "paid", "items", "item", "qty",
        "quantity", "artikel", "savings",
        "saved", "discount", "rabatt", "tip", "service", "points", "zwischensumme", "netto", "excl",
        "excluding", "exclusive",
        "rounding", "adjustment", "deposit", "pfand", "card", "visa", "mastercard", "wechselgeld",
        "before", "count", "round", "accepted", "saving",
    ]

    /// Words for money that the customer gave, which may be more than the sum.
    private static let handed: Set<String> = [
        "cash", "bar", "gegeben", "tendered", "tender", "given", "change", "rückgeld", "rueckgeld",
        "wechselgeld", "paid", "balance", "accepted",
    ]

    static func find(_ rows: [ReceiptRow]) -> Finding? {
        let amounts = rows.map { row in row.amount.map { ($0.money, $0.word) } }
        let known = amounts.compactMap { $0?.0.hundredths }
        let currency = currency(rows, amounts)
        var best: (finding: Finding, rank: Double)?
        for (index, row) in rows.enumerated() {
            guard var rank = rank(row) else { continue }
            // The amount may be on the row below its name.
            guard let (money, word) = amounts[index] ?? below(index, rows, amounts),
                money.hundredths > 0
            else { continue }
            // A lower row is likelier, and so is the larger of several amounts.
            rank += 0.3 * Double(index) / Double(max(1, rows.count))
            let isConfirmed = isSum(money.hundredths, of: rows, amounts)
            if isConfirmed { rank += 0.4 }
            if isRounded(money.hundredths, at: index, rows, amounts) { rank += 1.5 }
            if known.count(where: { $0 == money.hundredths }) > 1 { rank += 0.3 }
            if rows.enumerated().contains(where: { other, row in
                amounts[other].map { $0.0.hundredths > money.hundredths } ?? false
                    && !row.plain.contains(where: handed.contains)
            }) {
                rank -= 0.5
            }
            let confidence = min(
                0.99, word.confidence * (isConfirmed ? 1 : 0.92) * min(1, 0.6 + rank * 0.13))
            let finding = Finding(
                kind: .total, format: money.currency ?? row.currency ?? currency, text: money.text,
                confidence: confidence, box: word.box)
            if rank > best?.rank ?? 0 { best = (finding, rank) }
        }
        return best?.finding ?? highest(rows, amounts, currency)
    }

    /// The most frequent currency beside amounts and words for sums; nil for none.
    private static func currency(
        _ rows: [ReceiptRow], _ amounts: [(MoneyText, Word)?]
    ) -> String? {
        var counts: [String: Int] = [:]
        for (row, amount) in zip(rows, amounts) where amount != nil || rank(row) != nil {
            if let named = amount?.0.currency ?? row.currency { counts[named, default: 0] += 1 }
        }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// The certainty with which a row names the sum; nil when it does not.
    private static func rank(_ row: ReceiptRow) -> Double? {
        let plain = row.plain.map { Self.corrected($0) }
        guard !plain.contains(where: others.contains) || plain.contains("due") else {
            // "Total (incl. tax)" is the sum.
            let includes = plain.contains {
                ["incl", "inclusive", "including", "inkl"].contains($0)
            }
            guard includes, ["total", "summe", "amount"].contains(where: plain.contains) else {
                return nil
            }
            return 2.3
        }
        return names.first { name in
            plain.indices.contains { start in plain[start...].starts(with: name.words) }
        }?.rank
    }

    /// The word "total" for a word that differs from it in one letter.
    private static func corrected(_ word: String) -> String {
        for known in ["total", "subtotal", "summe", "amount"]
        where word.count == known.count && word != known && Likeness.of(word, known) >= 0.79 {
            return known
        }
        let digits = word.map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 }
        return word.contains(where: \.isLetter) ? String(digits) : word
    }

    private static func below(
        _ index: Int, _ rows: [ReceiptRow], _ amounts: [(MoneyText, Word)?]
    ) -> (MoneyText, Word)? {
        guard rows.indices.contains(index + 1), let next = amounts[index + 1],
            rows[index + 1].words.count <= 2,
            rows[index + 1].box.y - rows[index].box.bottom < 2 * rows[index].box.height
        else { return nil }
        return next
    }

    /// True if a subtotal and a tax, or the given money less the change, make the amount.
    private static func isSum(
        _ total: Int, of rows: [ReceiptRow], _ amounts: [(MoneyText, Word)?]
    ) -> Bool {
        func values(_ words: Set<String>) -> [Int] {
            zip(rows, amounts).filter { row, _ in row.plain.contains(where: words.contains) }
                .compactMap { $1?.0.hundredths }
        }
        let parts = values(["subtotal", "sub", "zwischensumme", "netto"])
        let taxes = values([
            "tax", "vat", "gst", "mwst", "ust", "service", "tva", "iva", "rounding",
        ])
        let given = values(["cash", "bar", "gegeben", "tendered", "given", "paid", "accepted"])
        let change = values(["change", "rückgeld", "wechselgeld"])
        return parts.contains { part in
            part == total || taxes.contains { part + $0 == total }
                || part + taxes.reduce(0, +) == total
        } || given.contains { handed in change.contains { handed - $0 == total } }
    }

    /// True if an amount is a rounded one from further up, with a row about rounding between both.
    private static func isRounded(
        _ total: Int, at index: Int, _ rows: [ReceiptRow], _ amounts: [(MoneyText, Word)?]
    ) -> Bool {
        rows[..<index].indices.contains { middle in
            guard rows[middle].plain.contains(where: { $0.hasPrefix("round") }),
                let rounding = amounts[middle]?.0.hundredths, rounding != 0
            else { return false }
            return rows[..<middle].indices.contains { above in
                guard rank(rows[above]) != nil, let before = amounts[above]?.0.hundredths else {
                    return false
                }
                return (before - total).magnitude == rounding.magnitude
            }
        }
    }

    /// A guess: the highest amount that the customer did not give.
    private static func highest(
        _ rows: [ReceiptRow], _ amounts: [(MoneyText, Word)?], _ currency: String?
    ) -> Finding? {
        let candidates = zip(rows, amounts).filter { row, amount in
            amount != nil && !row.plain.contains(where: handed.contains)
        }.compactMap { $1 }
        guard let (money, word) = candidates.max(by: { $0.0.hundredths < $1.0.hundredths }),
            money.hundredths > 0
        else { return nil }
        return Finding(
            kind: .total, format: money.currency ?? currency, text: money.text,
            confidence: 0.4 * word.confidence, box: word.box)
    }
}
