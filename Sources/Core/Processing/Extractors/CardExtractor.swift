import Documents
import Recognition

/// Guesses a card's name and value.
struct CardExtractor: Extractor {
    static let declaration = StepDeclaration(
        name: "card", title: "Read the card",
        help:
            "Guesses the card's name from its largest line, and finds a price on it. The document gets the number of cards and their total value."
    )

    static let ofDocuments: DocumentExtraction? = DocumentExtraction(
        needsText: false, findings: CardReader.session)

    init(_ settings: StepSettings) {}

    func run(on page: ReadingInput) async throws -> ReadingOutcome {
        ReadingOutcome(fields: CardReader.fields(of: page.page), nothing: "no name found")
    }
}
