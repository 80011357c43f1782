public import Documents

/// Finds the merchant, date, total, currency and tax of a receipt.
///
/// It uses only the text that was read. Each finding has a place and a confidence; if a receipt
/// does not name its sum, the highest amount is used with low confidence.
public enum ReceiptReader {
    /// The merchant, the date, the total, its currency and the tax, those that are found.
    public static func fields(of page: Page) -> [Finding] {
        let rows = ReceiptRow.rows(of: page)
        let total = ReceiptTotal.find(rows)
        let isAmerican = total?.format == "USD"
        let currency = total.flatMap { total in
            total.format.map {
                Finding(
                    kind: .currency, text: $0, confidence: total.confidence,
                    corners: total.corners)
            }
        }
        return [
            merchant(rows), date(rows, monthFirst: isAmerican), total, currency,
            ReceiptTax.find(rows, total: total),
        ].compactMap { $0 }
    }

    // MARK: Date

    private static let dateWords = ["date", "datum", "fecha", "data", "dated"]
    private static let otherDates = [
        "expiry", "expires", "exp", "valid", "due", "until", "best", "born", "before", "returned",
    ]

    private static func date(_ rows: [ReceiptRow], monthFirst: Bool) -> Finding? {
        var best: (finding: Finding, rank: Double)?
        for (index, row) in rows.enumerated() {
            guard let day = DateText(row.texts, monthFirst: monthFirst) else { continue }
            let plain = row.plain
            // Of several dates, the first one is most likely the receipt's own.
            var rank = row.confidence - 0.3 * Double(index) / Double(rows.count)
            if plain.contains(where: dateWords.contains) { rank += 0.3 }
            if plain.contains(where: otherDates.contains) { rank -= 0.5 }
            // Most receipts have the time beside the date.
            if row.texts.contains(where: isTime) { rank += 0.2 }
            let confidence = min(1, max(0.05, row.confidence * (day.otherText == nil ? 1 : 0.7)))
            let finding = Finding(
                kind: .date, text: day.text, confidence: confidence, box: row.box,
                alternatives: [day.otherText].compactMap { $0 })
            if rank > best?.rank ?? -1 { best = (finding, rank) }
        }
        return best?.finding
    }

    private static func isTime(_ word: String) -> Bool {
        let parts = word.trimmed { !$0.isNumber }.split(separator: ":")
        return (2...3).contains(parts.count) && parts.allSatisfy { $0.count == 2 && Int($0) != nil }
    }

    // MARK: Merchant

    /// The number of rows at the top in which the merchant is looked for.
    private static let topRows = 8
    private static let noMerchant = [
        "receipt", "invoice", "tax", "bill", "kassenbon", "rechnung", "quittung", "tel", "phone",
        "fax", "www", "http",
        "street", "straße", "strasse", "road", "avenue", "ave", "date", "datum", "time", "cashier",
        "table", "order", "welcome",
        "customer", "copy", "kundenbeleg", "beleg", "gst", "vat", "ust", "uid", "reg", "no",
        "jalan", "str", "floor", "lot", "suite",
        "thank", "you", "email", "ticket", "facture", "original", "duplicate", "simplified",
    ]

    /// The row near the top in the largest type that is not an address, number or heading.
    private static func merchant(_ rows: [ReceiptRow]) -> Finding? {
        let top = rows.prefix(topRows)
        guard let usual = PrintedLine.median(rows.map(\.em)) else { return nil }
        var best: (row: ReceiptRow, rank: Double)?
        for (index, row) in top.enumerated() {
            let text = row.text
            let letters = text.count(where: \.isLetter)
            let digits = text.count(where: \.isNumber)
            guard letters >= 3, digits * 2 < letters, row.confidence >= 0.3 else { continue }
            var rank = 1.5 * min(row.em / max(1, usual), 2.5) - 0.35 * Double(index)
            if row.plain.contains(where: noMerchant.contains) { rank -= 1.5 }
            if digits > 0 { rank -= 0.4 }
            if row.amount != nil { rank -= 1.5 }
            if text.contains("@") || text.contains("://") { rank -= 2 }
            if rank > best?.rank ?? 0.2 { best = (row, rank) }
        }
        guard let best else { return nil }
        let name = best.row.text.trimmed { !$0.isLetter && !$0.isNumber && $0 != ")" && $0 != "." }
        return Finding(
            kind: .merchant, text: name,
            confidence: min(0.95, best.row.confidence * min(1, 0.5 + 0.2 * best.rank)),
            box: best.row.box)
    }
}

/// The words of a receipt that are side by side.
struct ReceiptRow {
    let words: [Word]
    let box: Box
    let em: Double

    var texts: [String] { words.map(\.text) }
    var text: String { texts.joined(separator: " ") }
    var confidence: Double { words.meanConfidence ?? 0 }

    /// The words in lowercase, without punctuation.
    var plain: [String] {
        texts.flatMap { $0.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) }
    }

    /// The rightmost amount, with its word's place and confidence.
    var amount: (money: MoneyText, word: Word)? {
        var words = words
        // `12 . 50` and `12, 50` have a space that does not belong there.
        for index in words.indices.dropLast().reversed() {
            let (left, right) = (words[index], words[index + 1])
            let isSplit =
                (left.text.last.map { ".,".contains($0) } ?? false)
                && right.text.count == 2 && right.text.allSatisfy(\.isNumber)
            if isSplit, left.text.dropLast().contains(where: \.isNumber),
                let box = Box(around: [left.box, right.box])
            {
                words[index] = Word(
                    text: left.text + right.text, box: box,
                    confidence: min(left.confidence, right.confidence))
                words.remove(at: index + 1)
            }
        }
        if let loose = looseAmount { return loose }
        for (index, word) in words.enumerated().reversed() {
            if word.text.hasSuffix("%") || index + 1 < words.count && words[index + 1].text == "%" {
                continue
            }
            if let money = MoneyText(word.text) { return (money, word) }
        }
        return nil
    }

    /// The amount at the end of a row without other digits, whose decimal point was misread as a
    /// dash or missed, as in `TOTAL 52-00` and `Cash 41 50`.
    private var looseAmount: (money: MoneyText, word: Word)? {
        guard let last = words.last, words.count >= 2 else { return nil }
        var digits = last.text
        var (box, confidence, rest) = (last.box, last.confidence, words.dropLast())
        if digits.count == 2, let before = rest.last, rest.count >= 2,
            before.text.allSatisfy(\.isNumber), let joined = Box(around: [before.box, box])
        {
            digits = before.text + "-" + digits
            (box, confidence) = (joined, min(confidence, before.confidence))
            rest = rest.dropLast()
        }
        let parts = digits.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...5).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { "0"..."9" ~= $0 } }),
            rest.allSatisfy({ !$0.text.contains(where: \.isNumber) }),
            let money = MoneyText(parts.joined(separator: "."))
        else { return nil }
        return (money, Word(text: money.text, box: box, confidence: confidence))
    }

    /// The currency that the row names; nil for none.
    var currency: String? { texts.lazy.compactMap { MoneyText.currency(in: $0) }.first }

    /// The rows of a page from top to bottom.
    ///
    /// A reader mistakes names and prices for two columns; here they are one row again.
    static func rows(of page: Page) -> [ReceiptRow] {
        let lines = (page.text?.lines ?? []).compactMap { PrintedLine($0.words, page: page.number) }
        var rows: [[PrintedLine]] = []
        for line in lines.sorted(by: { $0.baseline < $1.baseline }) {
            let near = rows.indices.suffix(3).last { index in
                rows[index].allSatisfy { other in
                    (other.baseline - line.baseline).magnitude < 0.45 * min(other.em, line.em)
                        && (other.box.right <= line.box.x || line.box.right <= other.box.x)
                }
            }
            if let near { rows[near].append(line) } else { rows.append([line]) }
        }
        return rows.compactMap { parts in
            guard let box = Box(around: parts.map(\.box)) else { return nil }
            return ReceiptRow(
                words: parts.flatMap(\.words).sorted { $0.box.x < $1.box.x }, box: box,
                em: parts.map(\.em).max() ?? 1)
        }
    }
}
