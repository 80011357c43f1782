import Documents
import Imaging
import Recognition

/// Something that is derived from a page once its text is read, such as a serial number.
///
/// Like a ``ProcessingStep`` it keeps nothing between pages. The picture stays as it is; the step
/// may have parts of it read again.
protocol ReadingStep: Sendable {
    /// The step's name, help and options.
    static var declaration: StepDeclaration { get }

    /// The step with what a profile sets for it.
    init(_ settings: StepSettings)

    /// Does the work. A step that throws leaves the page as it was; the error becomes one of the
    /// page's problems.
    func run(on page: ReadingInput) async throws -> ReadingOutcome
}

/// The input of a reading step.
struct ReadingInput: Sendable {
    /// The picture that was read.
    let image: Raster
    /// What was read on it.
    let text: PageText
    /// Reads parts of the picture again.
    let recognizer: any TextRecognizer
    /// The languages the text was read in.
    let languages: [String]

    /// The page as functions about text take it; its number is 1.
    var page: Page {
        Page(
            number: 1, width: image.width, height: image.height, resolution: image.resolution ?? 0,
            text: text, provenance: Provenance(device: ""))
    }
}

/// What a reading step found.
struct ReadingOutcome: Sendable {
    /// What was found, for users.
    var summary: String
    /// What was measured, by name.
    var measurements: [String: Double] = [:]
    /// What was found on the page, in pixels of its picture.
    var found: [Finding] = []
    /// The page's text if it was read better; nil to keep the present one.
    var text: PageText?
    /// What went wrong although something was found; nil when nothing did.
    var problem: String?
}
