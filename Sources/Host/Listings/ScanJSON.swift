import CaptureHost
import CaptureKit
package import Delivery
package import Documents
import FileNames
package import ScanService

/// The result of a job, for `scan --json`, `import --json`, `jobs resume --json` and the HTTP API.
public struct ScanJSON: Codable, Sendable {
    /// A processing step of a page.
    package struct Step: Codable, Sendable {
        package var name: String
        package var summary: String
        package var changed: Bool
        package var measurements: [String: Double]
        package var milliseconds: Double
    }

    /// A page that was delivered.
    package struct Page: Codable, Sendable {
        package var number: Int
        package var label: String?
        package var device: String
        package var width: Int
        package var height: Int
        package var resolution: Double
        package var words: Int
        /// True for a blank page, which files leave out.
        package var isBlank: Bool
        /// The number of the page's document in a split stack, from 1; 0 for a sheet between
        /// documents, and nil without splitting.
        package var document: Int?
        package var barcodes: [Documents.Finding]
        /// Other findings on the page, such as a serial number.
        package var found: [Documents.Finding]
        package var steps: [Step]
        package var problems: [String]
    }

    /// A page that could not be captured, or a file that was left out because it is not a page.
    package struct Skipped: Codable, Sendable {
        package var label: String?
        package var code: String
        package var message: String

        /// False for a file that does not claim to be a page.
        package var isFailure: Bool { code != CaptureError.Code.notAPage.rawValue }
    }

    /// A delivery that failed.
    package struct Failure: Codable, Sendable {
        package var sink: String
        package var message: String
    }

    /// The way to continue a job whose capture ended early.
    package struct Continuation: Codable, Sendable {
        package var job: String
        package var pages: Int
        package var code: String
        package var reason: String
        package var next: NextSheet?
        /// True when `jobs resume` reads the job's files again from the start, false when `scan
        /// --append` adds pages to the job.
        package var isReread: Bool

        /// True when the job has only the last copy of an input that could not be read completely.
        package var isUnread: Bool { code == Interruption.unread }
    }

    /// How the capture ended.
    package enum Ending: String, Codable, Sendable {
        case completed, stopped, deviceFailed
    }

    package var ending: Ending
    /// The device's failure; nil for none.
    package var error: String?
    /// The failure's code, such as `jammed`; nil for none.
    package var errorCode: String?
    package var pages: [Page]
    /// The documents of a split batch; nil without splitting.
    package var documents: [SplitDocument]?
    /// The document's entries; nil unless its profile looks for entries.
    package var entries: [FoundEntry]?
    /// Facts about the whole document; nil for none.
    package var fields: [Field]?
    package var skipped: [Skipped]
    package var delivered: [Receipt]
    package var failed: [Failure]
    /// The job that is kept because a delivery failed; nil for none.
    package var keptJob: String?
    /// The pages that this job still contains; nil for none.
    package var kept: ScanOutcome.Kept?
    /// The number of blank pages that files leave out; nil for none.
    package var blankPagesLeftOut: Int?
    /// The job that is kept because its files leave out blank pages; nil for none.
    package var blankPagesJob: String?
    /// The job that is kept because sheets between documents were left out; nil for none.
    package var asidePagesJob: String?
    /// The job that can be continued; nil for a complete capture.
    package var continuation: Continuation?
    /// The numbers of fronts and backs that were put in order; nil unless they were captured one
    /// after the other.
    package var collated: ScanOutcome.Collation?

    /// The JSON of an outcome.
    ///
    /// - Parameter words: describes a device's failure for users.
    package init(_ outcome: ScanOutcome, words: (any Error) -> String) {
        switch outcome.ending {
        case .completed: ending = .completed
        case .stopped: ending = .stopped
        case .deviceFailed(let failure):
            ending = .deviceFailed
            error = words(failure)
            errorCode = Self.code(failure)
        }
        pages = outcome.pages.map { summary in
            let page = summary.page
            return Page(
                number: page.number, label: page.provenance.label, device: page.provenance.device,
                width: page.width, height: page.height, resolution: page.resolution,
                words: summary.words, isBlank: page.isBlank, document: summary.document,
                barcodes: page.barcodes,
                found: page.findings.filter { $0.kind != .barcode },
                steps: page.provenance.steps.map {
                    Step(
                        name: $0.name, summary: $0.summary, changed: $0.changed,
                        measurements: $0.measurements, milliseconds: $0.milliseconds)
                }, problems: page.problems)
        }
        documents = outcome.documents.isEmpty ? nil : outcome.documents
        entries = outcome.found.entries.isEmpty ? nil : outcome.found.entries
        fields = outcome.found.fields.isEmpty ? nil : outcome.found.fields
        skipped = outcome.skipped.map {
            Skipped(label: $0.label, code: $0.error.code.rawValue, message: $0.error.message)
        }
        delivered = outcome.receipts
        failed = outcome.failures.map { Failure(sink: $0.sink, message: $0.error.message) }
        keptJob = outcome.keptJob
        kept = outcome.kept
        blankPagesLeftOut = outcome.blankPagesLeftOut > 0 ? outcome.blankPagesLeftOut : nil
        blankPagesJob = outcome.blankPagesJob
        asidePagesJob = outcome.asidePagesJob
        continuation = outcome.continuation.map {
            Continuation(
                job: $0.job, pages: $0.pages, code: $0.interruption.code,
                reason: $0.interruption.reason, next: $0.interruption.next, isReread: $0.isReread)
        }
        collated = outcome.collated
    }

    private static func code(_ failure: any Error) -> String? {
        switch failure {
        case let failure as HostError: failure.code.rawValue
        case let failure as CaptureError: failure.code.rawValue
        case let failure as JobError where failure.code == .spoolUnusable:
            HostError.Code.spoolFailed.rawValue
        case is CancellationError: CaptureError.Code.cancelled.rawValue
        default: nil
        }
    }

    /// The result after `clean` has changed every text that may name a path on the host, for users
    /// of other machines.
    package func cleaned(_ clean: (String) -> String) -> ScanJSON {
        func place(_ path: String) -> String { clean(PlaceNames.name(of: path)) }
        var result = self
        result.error = error.map(clean)
        for index in pages.indices {
            result.pages[index].problems = pages[index].problems.map(clean)
            for step in pages[index].steps.indices {
                result.pages[index].steps[step].summary = clean(pages[index].steps[step].summary)
            }
        }
        for index in skipped.indices {
            result.skipped[index].message = clean(skipped[index].message)
        }
        for index in delivered.indices {
            let receipt = delivered[index]
            result.delivered[index].sink =
                receipt.sink.hasPrefix("archive:") ? "archive" : place(receipt.sink)
            result.delivered[index].locations = receipt.locations.map(place)
            result.delivered[index].remoteID = receipt.remoteID.map(place)
            result.delivered[index].notes = receipt.notes?.map(clean)
            result.delivered[index].waiting?.reason = clean(receipt.waiting?.reason ?? "")
        }
        for index in (documents ?? []).indices {
            result.documents?[index].locations = documents?[index].locations.map(place) ?? []
        }
        for index in failed.indices {
            result.failed[index].sink = place(failed[index].sink)
            result.failed[index].message = clean(failed[index].message)
        }
        result.continuation?.reason = clean(continuation?.reason ?? "")
        return result
    }
}
