import Documents
import Imaging
import Recognition

/// Derives records from text, such as a serial number, a receipt's total or a cookbook's recipes.
///
/// Each kind of record is one extractor in `Extractors/`, and a line in ``StepCatalog``. It is a
/// step of a profile after the reading. Like a ``ProcessingStep``, it stores nothing between pages.
/// The picture stays unchanged; the extractor may read parts of it again.
protocol Extractor: Sendable {
    /// The step's name, help and options.
    static var declaration: StepDeclaration { get }

    /// Derives records from all pages of a document; nil if each page is complete by itself.
    static var ofDocuments: DocumentExtraction? { get }

    /// The step with a profile's settings.
    init(_ settings: StepSettings)

    /// Examines a page. If it throws, the page stays unchanged, and the error becomes one of the
    /// page's problems.
    func run(on page: ReadingInput) async throws -> ReadingOutcome
}

extension Extractor {
    static var ofDocuments: DocumentExtraction? { nil }
}

/// The part of an extractor that runs once, after a document's last page.
struct DocumentExtraction: Sendable {
    /// True if the pages' text is needed; otherwise they come without, to save memory.
    let needsText: Bool
    /// The findings in the pages on which the extractor ran, in the order of the document.
    let findings: @Sendable (_ pages: [Page]) -> DocumentFindings
}

/// The input of an extractor.
struct ReadingInput: Sendable {
    /// The picture that was read.
    let image: Raster
    /// The text of the picture.
    let text: PageText
    /// Reads parts of the picture again.
    let recognizer: any TextRecognizer
    /// The languages of the reading.
    let languages: [String]

    /// The page in the form for functions about text; its number is 1.
    var page: Page {
        Page(
            number: 1, width: image.width, height: image.height, resolution: image.resolution ?? 0,
            text: text, provenance: Provenance(device: ""))
    }
}

/// The findings of an extractor, or of the reading itself.
struct ReadingOutcome: Sendable {
    /// The findings, as a summary for users.
    var summary: String
    /// The measurements by name.
    var measurements: [String: Double] = [:]
    /// The findings, in pixels of the page's picture.
    var found: [Finding] = []
    /// A better reading of the page's text; nil to keep the present one.
    var text: PageText?
    /// A problem that did not stop the step, for people; nil for none.
    var problem: String?
}

extension ReadingOutcome {
    /// Fields, with a summary such as `total 12.50 EUR, date 2026-11-22`.
    ///
    /// - Parameter nothing: the summary if there are none.
    init(fields: [Finding], nothing: String) {
        let words = fields.map { field in
            let unit = [.total, .value, .tax].contains(field.kind) ? field.format : nil
            return (["\(field.kind.rawValue) \(field.text.prefix(40))"] + [unit].compactMap { $0 })
                .joined(separator: " ")
        }
        self.init(
            summary: words.isEmpty ? nothing : words.joined(separator: ", "),
            measurements: ["fields": Double(fields.count)], found: fields)
    }
}
