import Documents
import Recognition

/// Finds the merchant, the date, the total, its currency and the tax of a receipt.
struct ReceiptExtractor: Extractor {
    static let declaration = StepDeclaration(
        name: "receipt", title: "Read the receipt",
        help:
            "Finds the merchant, the date and the total, each with its place and confidence."
    )

    init(_ settings: StepSettings) {}

    func run(on page: ReadingInput) async throws -> ReadingOutcome {
        ReadingOutcome(
            fields: ReceiptReader.fields(of: page.page),
            nothing: "no merchant, date or total found")
    }
}
