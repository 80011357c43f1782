import CaptureHost
import FoundationEssentials
import Glibc

/// A job on disk: one that runs, was interrupted, or waits because a delivery failed.
public struct StoredJob: Codable, Sendable {
    /// Its name.
    public let id: String
    /// Its folder.
    public let folder: String
    /// True when a process is working on it now.
    public let isRunning: Bool
    /// Pages that are safe in its folder, including those whose last row had arrived when the host
    /// was killed.
    public let pages: Int
    /// Bytes that its folder takes on the disk.
    public let bytes: Int
    /// Why its capture ended early and where it continues; nil for a job that runs, or that was
    /// ended by a crash of the host.
    public let interruption: Interruption?
    /// How many blank pages were left out of its files, for which it is kept; nil for none.
    public let blankPages: Int?
    /// How many sheets between documents are in no document, for which it is kept; nil for none.
    public let asidePages: Int?
    /// The files it has delivered so far, as requested.
    public let delivered: [String]
    /// True when `scan --append` can continue it: it does not run, has pages, and they came
    /// from a device.
    public let isContinuable: Bool
    /// True when it can be continued and its capture did not end normally.
    public let isOpen: Bool
    /// The places it has delivered to that no longer have the document.
    public let lost: [LostPlace]
    /// Pages that not every output and sink has, and that are lost when the job is discarded.
    ///
    /// A file of the job's own that was not read to its end counts as one page at least. Pages that
    /// are no longer found anywhere count again; pages that are found somewhere are safe.
    public let undeliveredPages: Int
    /// The number of these that were delivered before.
    public let lostPages: Int
    /// True when files of the job's own may have more pages than are counted.
    public let isAtLeast: Bool
    /// The places of the archives whose servers did not answer, if nothing else lacks its document.
    public let awaitedArchives: [String]
    /// The order; nil when it is missing or damaged.
    public let order: ScanOrder?

    /// How many of its pages every output and sink has; nil when one does not have its document.
    private let deliveredPages: Int?
    /// True when its pages are read from files, the job's own included.
    public let isRereadable: Bool
    /// True when those files are there now.
    let hasFiles: Bool
    /// When it last changed, in seconds since 1970.
    private let touched: Double

    /// A job in a folder.
    ///
    /// - Parameter isHeldHere: true where this process holds it, which then does not count as
    ///   running.
    init(folder: String, isHeldHere: Bool = false) {
        self.folder = folder
        id = folder.lastComponent
        isRunning = !isHeldHere && JobFolder.isHeld(folder)
        let spool = SpoolFolder(path: folder)
        let record = try? JobRecord.read(from: folder)
        let numbers = (try? spool.pageNumbers()) ?? []
        pages = HeldPages.count(numbers + (isRunning ? [] : spool.arrivedNumbers), record)
        order = record?.order
        interruption = isRunning ? nil : record?.interruption
        awaitedArchives = isRunning ? [] : record?.awaitedArchives ?? []
        blankPages = isRunning ? nil : record?.blankPages
        asidePages = isRunning ? nil : record?.asidePages
        delivered = (record?.deliveries ?? [:]).filter {
            !$0.value.left.isEmpty || $0.value.document != nil
        }.keys.sorted()
        let losses = JobLosses(record, job: id)
        lost = losses.places
        isContinuable =
            !isRunning && pages > 0
            && record.map { !$0.isOfFiles && $0.isRecording != true } ?? false
        let isCaptured = record.flatMap { CaptureMark.read(from: folder, for: $0) } != nil
        let isRead = isCaptured && record?.interruption?.code != Interruption.unread
        let ownFiles = isRead ? 0 : OwnFiles.count(in: folder)
        isAtLeast = ownFiles > 0
        let delivered = max(0, (record?.deliveredPages ?? 0) - losses.pages)
        undeliveredPages = Self.undelivered(
            pages, safe: max(delivered, losses.seenPages), ownFiles: ownFiles)
        lostPages = min(losses.pages, undeliveredPages)
        isOpen =
            isContinuable
            && (record?.interruption != nil || (!isCaptured && undeliveredPages > 0))
        bytes = Self.bytes(in: folder)
        deliveredPages = record?.deliveredPages
        isRereadable = record?.isOfFiles ?? false
        hasFiles =
            record?.devices.allSatisfy {
                $0.hasPrefix("file:") && access(String($0.dropFirst(5)), F_OK) == 0
            } ?? false
        var status = stat()
        let isThere =
            lstat(folder + "/" + JobRecord.fileName, &status) == 0 || lstat(folder, &status) == 0
        touched = isThere ? Double(status.st_mtim.tv_sec) : .infinity
    }

    private static func undelivered(
        _ pages: Int, safe: Int, ownFiles: Int
    ) -> Int {
        let captured = max(0, pages - safe)
        return ownFiles == 0 ? captured : max(1, captured, ownFiles - safe)
    }

    /// True when not every output and sink has every page.
    var isIncomplete: Bool { pages > 0 && (deliveredPages ?? 0) < pages }

    /// Whether the job is no longer needed at that time.
    ///
    /// It does not run, and either has nothing, for more than a day, or every page it has is
    /// delivered everywhere, for longer than the days that such jobs are kept; sheets between
    /// documents count as delivered. Files that were read only in part are kept for their owner.
    ///
    /// A job with a page that a sink does not have yet, or that no place has any more, is always
    /// kept.
    func isSpent(at date: Date, keeping: Int?) -> Bool {
        let age = (date.timeIntervalSince1970 - touched) / 86_400
        guard !isRunning, undeliveredPages == 0 else { return false }
        if pages == 0 && !isRereadable { return age > 1 }
        let isDone = interruption != nil || (asidePages != nil && blankPages == nil)
        guard isDone, let deliveredPages, deliveredPages >= pages, let keeping else { return false }
        return age > Double(keeping)
    }

    private static func bytes(in folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            return lstat(folder + "/" + name, &status) == 0
                ? sum + Int(status.st_blocks) * 512 : sum
        }
    }

    /// What is lost with the job when it is discarded.
    public var risk: PagesAtRisk {
        PagesAtRisk(
            pages: undeliveredPages, lostPages: lostPages, isAtLeast: isAtLeast, places: lost)
    }

    /// Why a job is not discarded, without a command for another machine.
    private func refusal(of id: String) -> JobError {
        JobError(.undelivered, "\(risk.words ?? "") The job '\(id)' is kept.")
    }

    /// Deletes the job and its pages for good.
    ///
    /// - Parameter force: true to delete pages that were never delivered.
    /// - Throws: ``JobError`` `running`, or `undelivered` without `force`; nothing is deleted then.
    public func discard(force: Bool = false) throws(JobError) {
        let held = try JobFolder(path: folder)
        // Counted again: another process may have captured more since the job was listed.
        let job = StoredJob(folder: folder, isHeldHere: true)
        guard force || job.undeliveredPages == 0 else { throw job.refusal(of: id) }
        held.remove()
    }
}
