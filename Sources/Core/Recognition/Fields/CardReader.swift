public import Documents

/// Guesses a card's name and value, and sums the cards of a session.
public enum CardReader {
    /// The name, and the price on the card or its sleeve, if they are found.
    public static func fields(of page: Page) -> [Finding] {
        let rows = ReceiptRow.rows(of: page)
        return [name(rows, page), value(rows)].compactMap { $0 }
    }

    /// The row in the largest type, or the upper one of two equal rows: cards have their name at
    /// the top.
    private static func name(_ rows: [ReceiptRow], _ page: Page) -> Finding? {
        let named = rows.compactMap { row -> (row: ReceiptRow, text: String, rank: Double)? in
            let words = row.words.filter { word in
                word.confidence >= 0.4 && word.text.count(where: \.isLetter) * 2 > word.text.count
            }
            let text = words.map(\.text).joined(separator: " ")
                .trimmed { !$0.isLetter && !$0.isNumber && $0 != ")" && $0 != "." }
            guard text.count(where: \.isLetter) >= 3, row.confidence >= 0.3 else { return nil }
            let depth = Double(row.box.y) / Double(max(1, page.height))
            return (row, text, row.em * (depth < 0.25 ? 1.5 : 1 - 0.3 * depth))
        }
        guard let best = named.max(by: { $0.rank < $1.rank }) else { return nil }
        return Finding(
            kind: .name, text: best.text, confidence: 0.9 * best.row.confidence, box: best.row.box)
    }

    /// An amount with a currency next to it; a bare number on a card is not a price.
    private static func value(_ rows: [ReceiptRow]) -> Finding? {
        for row in rows {
            guard let (money, word) = row.amount, money.hundredths > 0,
                let currency = money.currency ?? row.currency
            else { continue }
            return Finding(
                kind: .value, format: currency, text: money.text, confidence: word.confidence,
                box: word.box)
        }
        return nil
    }

    /// The findings for a session of cards: an entry for each, their number, and their total value.
    ///
    /// - Parameter pages: the cards, each with the results of ``fields(of:)`` among its findings.
    /// - Returns: an entry for each card, and the fields of ``CardTotals``.
    public static func session(_ pages: [Page]) -> DocumentFindings {
        let entries = pages.map { page in
            let name = page.findings.first { $0.kind == .name }
            let value = page.findings.first { $0.kind == .value }
            let places = [name?.box].compactMap { $0 }
                .map { FoundEntry.Place(page: page.number, box: $0) }
            let values = value.map {
                [
                    Field(
                        name: CardTotals.valueName,
                        value: [$0.text, $0.format].compactMap { $0 }.joined(separator: " "),
                        source: CardTotals.source, confidence: $0.confidence, box: $0.box)
                ]
            }
            return FoundEntry(
                number: "", title: name?.text ?? "", text: "", pages: [page.number], places: places,
                confidence: name?.confidence ?? 0, fields: values ?? [])
        }
        guard !entries.isEmpty else { return DocumentFindings() }
        let values = entries.flatMap(\.fields).filter { $0.name == CardTotals.valueName }
        return DocumentFindings(
            entries: entries,
            fields: CardTotals.fields(cards: entries.count, values: values.map(\.value)))
    }
}
