import FileNames
package import ScanService

/// A job in the spool, for `jobs --json` and the HTTP API.
public struct StoredJobJSON: Codable, Sendable {
    /// The state of the job.
    package enum State: String, Codable, CaseIterable, Sendable {
        /// A process works on it.
        case running
        /// The job has pages that were never delivered, or files that were not read completely.
        case interrupted
        /// The document was delivered with all captured pages, and more pages can be added.
        case continuable
        /// The document was delivered without its blank pages, or the documents without the sheets
        /// between them.
        case delivered
    }

    package var id: String
    package var pages: Int
    package var state: State
    package var bytes: Int
    package var isRunning: Bool
    /// The job's folder; nil for users of other machines.
    package var folder: String?
    package var outputs: [String]?
    package var profile: String?
    package var delivered: [String]
    /// The reason why the capture ended early; nil if it did not.
    package var reason: String?
    /// The sheet to continue with; nil for none.
    package var next: NextSheet?
    /// The number of blank pages that the job's files leave out.
    package var blankPages: Int?
    /// The number of sheets between documents that no document has.
    package var asidePages: Int?
    /// True when the job's pages are read again from files.
    package var isReread: Bool
    /// The places that lost the document; nil from a host of an older version.
    package var lost: [LostPlace]?
    /// The number of pages that some output or sink lacks, and that would be lost with the job; nil
    /// from a host of an older version.
    package var undelivered: Int?
    /// The number of these pages that were delivered before; nil for none.
    package var lostPages: Int?
    /// True when there may be more such pages; nil otherwise.
    package var isAtLeast: Bool?
    /// True when the archive's server did not answer: a host delivers the job as soon as the server
    /// answers.
    package var awaitsArchive: Bool?
    /// The thing in the place of one of the job's files, or of its folder, so that it can't be
    /// used; nil for nothing.
    package var problem: String?
    /// The possible actions on the job, the safest first; nil from a host of an older version.
    package var advice: [JobAdvice]?

    /// The JSON of a job.
    package init(_ job: StoredJob) {
        id = job.id
        pages = job.pages
        bytes = job.bytes
        isRunning = job.isRunning
        folder = job.folder
        outputs = job.order?.outputs
        profile = job.order?.profile
        delivered = job.delivered
        reason = job.interruption?.reason
        next = job.interruption?.next
        blankPages = job.blankPages
        asidePages = job.asidePages
        isReread = job.isRereadable
        lost = job.lost
        undelivered = job.undeliveredPages
        lostPages = job.lostPages == 0 ? nil : job.lostPages
        isAtLeast = job.isAtLeast ? true : nil
        awaitsArchive = job.awaitedArchives.isEmpty ? nil : true
        problem = job.problem
        advice = job.advice
        state =
            if job.isRunning {
                .running
            } else if job.undeliveredPages > 0 {
                .interrupted
            } else if job.blankPages ?? job.asidePages != nil, job.interruption == nil {
                .delivered
            } else if job.isOpen {
                .continuable
            } else {
                .interrupted
            }
    }

    /// The pages that would be lost with the job.
    package var risk: PagesAtRisk {
        PagesAtRisk(
            pages: undelivered ?? 0, lostPages: lostPages ?? 0, isAtLeast: isAtLeast ?? false,
            places: lost ?? [])
    }

    /// The job without paths on the host's machine, for users of other machines.
    package func cleaned(_ clean: (String) -> String) -> StoredJobJSON {
        func place(_ path: String) -> String { clean(PlaceNames.name(of: path)) }
        var result = self
        result.folder = nil
        result.outputs = outputs?.map(place)
        result.profile = profile.map(place)
        result.delivered = delivered.map(place)
        result.lost = lost?.map {
            LostPlace(
                place($0.place), document: $0.document, $0.loss, others: $0.others.map(place))
        }
        result.reason = reason.map(clean)
        result.problem = problem.map(clean)
        return result
    }
}
