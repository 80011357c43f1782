import Documents
import Recognition

/// Finds the merchant, the date, the total, its currency and the tax of a receipt.
struct ReceiptStep: ReadingStep {
    static let declaration = StepDeclaration(
        name: "receipt", title: "Read the receipt",
        help:
            "Finds the merchant, the date and the total, each with its place and confidence."
    )

    init(_ settings: StepSettings) {}

    func run(on page: ReadingInput) async throws -> ReadingOutcome {
        foundFields(
            ReceiptReader.fields(of: page.page), nothing: "no merchant, date or total found")
    }
}

/// Guesses a card's name and value.
struct CardStep: ReadingStep {
    static let declaration = StepDeclaration(
        name: "card", title: "Read the card",
        help:
            "Guesses the card's name from its largest line, and finds a price on it. The document gets the number of cards and their total value."
    )

    init(_ settings: StepSettings) {}

    func run(on page: ReadingInput) async throws -> ReadingOutcome {
        foundFields(CardReader.fields(of: page.page), nothing: "no name found")
    }
}

/// Findings with a summary such as `total 12.50 EUR, date 2026-11-22`.
private func foundFields(_ found: [Finding], nothing: String) -> ReadingOutcome {
    let words = found.map { finding in
        "\(finding.kind.rawValue) \(finding.text.prefix(40))"
            + ([.total, .value, .tax].contains(finding.kind)
                ? finding.format.map { " \($0)" } ?? "" : "")
    }
    return ReadingOutcome(
        summary: words.isEmpty ? nothing : words.joined(separator: ", "),
        measurements: ["fields": Double(found.count)], found: found)
}
