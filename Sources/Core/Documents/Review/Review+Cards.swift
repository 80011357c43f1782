extension Review {
    /// True for a session of cards, in which each entry is a card.
    public var isCardSession: Bool {
        fields.contains { $0.name == CardTotals.countName && $0.source == CardTotals.source }
    }

    /// Updates a session's totals from its entries; a field that the user has set stays.
    mutating func countCards() {
        guard isCardSession else { return }
        let values = entries.compactMap { entry in
            entry.fields.first { $0.name == CardTotals.valueName }?.value
        }
        let updated = CardTotals.fields(cards: entries.count, values: values)
        fields.removeAll { field in
            CardTotals.isTotal(field) && !updated.contains { $0.name == field.name }
        }
        for field in updated {
            guard let index = fields.firstIndex(where: { $0.name == field.name }) else {
                fields.append(field)
                continue
            }
            if CardTotals.isTotal(fields[index]) { fields[index] = field }
        }
    }
}
