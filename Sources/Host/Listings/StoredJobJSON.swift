package import ScanService

/// A job in the spool as `jobs --json` and the HTTP API show it.
public struct StoredJobJSON: Codable, Sendable {
    /// What can be done with a job.
    package enum State: String, Codable, CaseIterable, Sendable {
        /// A process works on it.
        case running
        /// It has pages that were never delivered, or files that were not all read.
        case interrupted
        /// Its document is delivered with everything that was captured, and more pages can be
        /// added.
        case continuable
        /// Its document is delivered without its blank pages, or its documents without the sheets
        /// between them.
        case delivered
    }

    package var id: String
    package var pages: Int
    package var state: State
    package var bytes: Int
    package var isRunning: Bool
    /// Its folder; nil for users of other machines.
    package var folder: String?
    package var outputs: [String]?
    package var profile: String?
    package var delivered: [String]
    /// Why its capturing ended early.
    package var reason: String?
    /// The sheet to continue with.
    package var next: NextSheet?
    /// Blank pages that were left out of its files.
    package var blankPages: Int?
    /// Sheets between documents that are in none.
    package var asidePages: Int?
    /// True when its pages are read again from files.
    package var isReread: Bool
    /// The places that no longer have the document; nil from a host of an older version.
    package var lost: [LostPlace]?
    /// Pages that not every output and sink has, and that are lost when it is discarded; nil from a
    /// host of an older version.
    package var undelivered: Int?
    /// How many of these were delivered once; nil for none.
    package var lostPages: Int?
    /// True when there may be more pages than are counted; nil otherwise.
    package var isAtLeast: Bool?
    /// True when the server of its archive did not answer: a host delivers it as soon as it does.
    package var awaitsArchive: Bool?
    /// What can be done with it, the safest first; nil from a host of an older version.
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

    /// What is lost with the job when it is discarded.
    package var risk: PagesAtRisk {
        PagesAtRisk(
            pages: undelivered ?? 0, lostPages: lostPages ?? 0, isAtLeast: isAtLeast ?? false,
            places: lost ?? [])
    }

    /// The same without places on the host's machine, for users of other machines.
    package func cleaned(_ clean: (String) -> String) -> StoredJobJSON {
        var result = self
        result.folder = nil
        result.outputs = outputs?.map(clean)
        result.delivered = delivered.map(clean)
        result.lost = lost?.map {
            LostPlace(
                clean($0.place), document: $0.document, $0.loss, others: $0.others.map(clean))
        }
        result.reason = reason.map(clean)
        return result
    }
}
