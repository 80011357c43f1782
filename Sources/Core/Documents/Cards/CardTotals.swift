/// The number of a session's cards and their total value: fields of its document besides its
/// entries.
public enum CardTotals {
    /// The source of these fields: the step that reads cards.
    public static let source = "card"
    /// The entry's field with a card's value, such as `12.50 EUR`.
    public static let valueName = "value"
    /// The field with the number of cards; a document that has it, from ``source``, is a session.
    static let countName = "cards"
    /// The field with the sum; a hyphen and the currency follow if there are several currencies.
    private static let totalName = "total-value"

    /// The field `cards`, and `total-value` for each currency in which cards have a value
    /// (`total-value-USD` where there are several).
    ///
    /// - Parameter values: the values of the cards that have one; a text that is not an amount of
    ///   money counts as none. An amount without a currency gets the currency of the others, if
    ///   they all have the same.
    public static func fields(cards: Int, values: [String]) -> [Field] {
        var sums: [String: Int] = [:]
        for value in values {
            guard let money = amount(value) else { continue }
            sums[money.currency ?? "", default: 0] += money.hundredths
        }
        if sums.count == 2, let bare = sums.removeValue(forKey: ""), let only = sums.keys.first {
            sums[only, default: 0] += bare
        }
        return [Field(name: countName, value: String(cards), source: source)]
            + sums.sorted { $0.key < $1.key }.map { currency, sum in
                let parts = [totalName, currency].filter { !$0.isEmpty }
                return Field(
                    name: sums.count > 1 ? parts.joined(separator: "-") : totalName,
                    value: [MoneyText.text(sum), currency].filter { !$0.isEmpty }
                        .joined(separator: " "),
                    source: source)
            }
    }

    /// The amount in a value as people write it: `12.50 EUR`, `€ 3`, `7,25`.
    private static func amount(_ value: String) -> (hundredths: Int, currency: String?)? {
        let words = value.split(separator: " ").map(String.init)
        guard let money = words.lazy.compactMap({ MoneyText($0, needsDecimals: false) }).first
        else { return nil }
        let beside = words.lazy.compactMap { MoneyText.currency(in: $0) }.first
        return (money.hundredths, money.currency ?? beside)
    }

    /// True if a field is one of these.
    static func isTotal(_ field: Field) -> Bool {
        field.source == source
            && (field.name == countName || field.name == totalName
                || field.name.hasPrefix(totalName + "-"))
    }
}
