import Documents
import Imaging
import Recognition

/// Reads a page's columns again, line by line, to find numbers in their margins.
///
/// The entries themselves are found after the document's last page, because an entry may continue
/// on the next page.
struct EntriesExtractor: Extractor {
    static let margins = StepOptionKey(
        flag: "margins", default: true,
        help:
            "Also reads each column as one block of lines. This finds numbers that are alone in the margin, but takes twice as long."
    )

    static let declaration = StepDeclaration(
        name: "entries", title: "Find entries",
        help:
            "Splits the document into numbered or titled entries, for the JSON and for review in the archive.",
        options: [margins.option])

    static let ofDocuments: DocumentExtraction? = DocumentExtraction(
        needsText: true, findings: { DocumentFindings(entries: EntryReader.entries(in: $0)) })

    private let readsMargins: Bool

    init(_ settings: StepSettings) { readsMargins = settings[Self.margins] }

    func run(on page: ReadingInput) async throws -> ReadingOutcome {
        guard readsMargins, let columns = EntryColumns(of: page.page) else {
            return ReadingOutcome(summary: "kept the first reading")
        }
        var readings: [PageText] = []
        for box in columns.boxes {
            let part = page.image.cropped(
                to: PixelRect(x: box.x, y: box.y, width: box.width, height: box.height))
            readings.append(
                try await page.recognizer.recognize(
                    part, languages: page.languages, layout: .block))
        }
        let text = columns.text(with: readings)
        return ReadingOutcome(
            summary: "read \(counted(columns.boxes.count, "column")) line by line",
            measurements: [
                "columns": Double(columns.boxes.count), "words": Double(text.words.count),
            ], text: text)
    }
}
