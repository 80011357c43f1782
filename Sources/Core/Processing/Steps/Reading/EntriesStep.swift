import Documents
import Imaging
import Recognition

/// Reads a page's columns once more, line by line, for the numbers that hang in their margins.
///
/// The entries themselves are found when the document's last page is read, since they run over
/// pages.
struct EntriesStep: ReadingStep {
    static let margins = StepOptionKey(
        flag: "margins", default: true,
        help:
            "Reads each column once more as one block of lines, which finds numbers that stand alone in the margin; "
            + "reading takes twice as long.")

    static let declaration = StepDeclaration(
        name: "entries", title: "Find entries",
        help:
            "Parts the document into numbered or titled entries: into the JSON, and into the archive to be reviewed.",
        options: [margins.option])

    private let readsMargins: Bool

    init(_ settings: StepSettings) { readsMargins = settings[Self.margins] }

    func run(on page: ReadingInput) async throws -> ReadingOutcome {
        guard readsMargins, let columns = EntryColumns(of: page.page) else {
            return ReadingOutcome(summary: "read as it was")
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
