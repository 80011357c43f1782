import Documents
import Imaging
import Recognition

/// An operation that derives facts from a page's text, such as a serial number.
///
/// Like a ``ProcessingStep``, it stores nothing between pages. The picture stays unchanged; the
/// step may read parts of it again.
protocol ReadingStep: Sendable {
    /// The step's name, help and options.
    static var declaration: StepDeclaration { get }

    /// The step with a profile's settings.
    init(_ settings: StepSettings)

    /// Runs the step. If it throws, the page stays unchanged, and the error becomes one of the
    /// page's problems.
    func run(on page: ReadingInput) async throws -> ReadingOutcome
}

/// The input of a reading step.
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

/// The findings of a reading step.
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
