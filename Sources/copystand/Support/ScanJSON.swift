import CaptureKit
import Delivery
import Documents
import ScanService

/// What `scan --json`, `import --json` and `jobs resume --json` print.
struct ScanJSON: Encodable {
    /// A step a page went through.
    struct Step: Encodable {
        var name: String
        var summary: String
        var changed: Bool
        var measurements: [String: Double]
        var milliseconds: Double
    }

    /// A page that was delivered.
    struct Page: Encodable {
        var number: Int
        var label: String?
        var device: String
        var width: Int
        var height: Int
        var resolution: Double
        var words: Int
        /// True for a page that files leave out, because nothing is written on it.
        var isBlank: Bool
        var barcodes: [Documents.Finding]
        var steps: [Step]
        var problems: [String]
    }

    /// A page that could not be captured.
    struct Skipped: Encodable {
        var label: String?
        var code: String
        var message: String
    }

    /// A delivery that failed.
    struct Failure: Encodable {
        var sink: String
        var message: String
    }

    /// How a job goes on whose capturing ended early.
    struct Continuation: Encodable {
        var job: String
        var pages: Int
        var code: String
        var reason: String
        var next: NextSheet?
        /// True when `jobs resume` reads its files again as a whole, false when `scan --append` adds to it.
        var isReread: Bool
    }

    /// `completed`, `stopped` or `deviceFailed`.
    var ending: String
    /// What the device's failure was; nil when it did not fail.
    var error: String?
    var pages: [Page]
    var skipped: [Skipped]
    var delivered: [Receipt]
    var failed: [Failure]
    /// The job that is kept because a delivery failed; nil when none is.
    var keptJob: String?
    /// The job that is kept because its files do without blank pages; nil when none is.
    var blankPagesJob: String?
    /// The job that can be gone on with; nil when the capturing came to its end.
    var continuation: Continuation?
    /// How many fronts and backs were put in order; nil unless they were captured one after the other.
    var collated: ScanOutcome.Collation?

    init(_ outcome: ScanOutcome) {
        switch outcome.ending {
        case .completed: ending = "completed"
        case .stopped: ending = "stopped"
        case .deviceFailed(let failure):
            ending = "deviceFailed"
            error = ErrorMessages.explain(failure).text
        }
        pages = outcome.pages.map { summary in
            let page = summary.page
            return Page(
                number: page.number, label: page.provenance.label, device: page.provenance.device,
                width: page.width, height: page.height, resolution: page.resolution,
                words: summary.words, isBlank: page.isBlank, barcodes: page.barcodes,
                steps: page.provenance.steps.map {
                    Step(
                        name: $0.name, summary: $0.summary, changed: $0.changed,
                        measurements: $0.measurements, milliseconds: $0.milliseconds)
                }, problems: page.problems)
        }
        skipped = outcome.skipped.map {
            Skipped(label: $0.label, code: $0.error.code.rawValue, message: $0.error.message)
        }
        delivered = outcome.receipts
        failed = outcome.failures.map { Failure(sink: $0.sink, message: $0.error.message) }
        keptJob = outcome.keptJob
        blankPagesJob = outcome.blankPagesJob
        continuation = outcome.continuation.map {
            Continuation(
                job: $0.job, pages: $0.pages, code: $0.interruption.code,
                reason: $0.interruption.reason, next: $0.interruption.next, isReread: $0.isReread)
        }
        collated = outcome.collated
    }
}
