import Documents
import FileNames
import ScanService

extension JobStatus {
    /// A page in progress.
    struct Page: Encodable {
        enum Stage: String, Encodable, CaseIterable {
            case capturing, captured, finished, skipped
        }
        /// The page's number in the document; before it is finished, in the order of capture.
        var number: Int
        var label: String?
        var stage: Stage
        /// The number of the page's document in a split stack, from 1; 0 for a sheet between
        /// documents, nil where nothing is split.
        var document: Int?
        /// The number of the captured picture; nil for a skipped page.
        var captured: Int?
        /// True once there is a small picture of it at `jobs/{id}/pages/{captured}/thumbnail`.
        var hasPicture = false
        /// The number of small pictures made of it so far; a new number means a new picture.
        var pictureVersion = 0
        /// The captured part of the page, 0…1; nil for an unknown height.
        var progress: Double?
        var width: Int?
        var height: Int?
        var words: Int?
        /// The beginning of the page's text.
        var excerpt: String?
        var problems: [String] = []

        /// Records what the processing has found.
        mutating func finish(_ summary: PageSummary) {
            stage = .finished
            number = summary.page.number
            document = summary.document
            width = summary.page.width
            height = summary.page.height
            words = summary.words
            excerpt = summary.excerpt
            problems = summary.page.problems.map(PlaceNames.removed)
        }
    }

    /// A sink that has the document, or has it waiting in the outbox.
    struct Delivery: Encodable {
        var sink: String
        var document: String?
        var pages: Int
        var waiting: String?
        var duplicateOf: String?
    }
}
