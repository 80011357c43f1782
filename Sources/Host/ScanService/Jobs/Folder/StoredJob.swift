import CaptureHost
import ExpectedFailures
import FoundationEssentials
import Glibc
import GuardedFiles

/// A job on disk: a running or interrupted one, or one that waits after a failed delivery.
public struct StoredJob: Codable, Sendable {
    /// The job's name.
    public let id: String
    /// The path of the job's folder.
    public let folder: String
    /// True while a process works on the job.
    public let isRunning: Bool
    /// The number of pages that are safe in the folder, including those whose last row had arrived
    /// when the host was killed.
    public let pages: Int
    /// The bytes on disk that the folder uses.
    public let bytes: Int
    /// The reason why the capture ended early, and the place where it continues; nil for a running
    /// job, and after a crash of the host.
    public let interruption: Interruption?
    /// The number of blank pages that the job's files leave out, and for which it is kept; nil for
    /// none.
    public let blankPages: Int?
    /// The number of sheets between documents that no document has, and for which the job is kept;
    /// nil for none.
    public let asidePages: Int?
    /// The delivered files so far, as requested.
    public let delivered: [String]
    /// True when `scan --append` can continue the job: it does not run, has pages, and they came
    /// from a device.
    public let isContinuable: Bool
    /// True when the job can be continued and its capture did not end normally.
    public let isOpen: Bool
    /// The places that lost the document after its delivery.
    public let lost: [LostPlace]
    /// The number of pages that some output or sink lacks, and that would be lost with the job.
    ///
    /// A file of the job's own that was not read to its end counts as at least one page. A
    /// delivered page counts again if it is no longer found anywhere.
    public let undeliveredPages: Int
    /// The number of undelivered pages that were delivered once, and then lost.
    public let lostPages: Int
    /// True when files of the job's own may have more pages than are counted.
    public let isAtLeast: Bool
    /// The places of the archives whose servers did not answer, if nothing else lacks its document.
    public let awaitedArchives: [String]
    /// The order; nil when it is missing or damaged.
    public let order: ScanOrder?

    /// Why the job can't be used: something else is in the place of its folder or of one of its
    /// files; nil for a usable job.
    public let problem: String?

    /// The number of pages that every output and sink has; nil when one lacks its document.
    private let deliveredPages: Int?
    /// True when the job's pages are read from files, including its own.
    public let isRereadable: Bool
    /// True when these files exist now.
    let hasFiles: Bool
    /// The time of the last change, in seconds since 1970.
    private let touched: Double

    /// A job in a folder.
    ///
    /// - Parameter isHeldHere: true if this process holds the folder; the job then does not count
    ///   as running.
    init(folder: String, isHeldHere: Bool = false) {
        self.folder = folder
        id = folder.lastComponent
        isRunning = !isHeldHere && JobFolder.isHeld(folder)
        let spool = SpoolFolder(path: folder)
        let record = ofKnownForm { try JobRecord.read(from: folder) }
        let isCaptured = record.flatMap { CaptureMark.read(from: folder, for: $0) } != nil
        let isRead = isCaptured && record?.interruption?.code != Interruption.unread
        var unreadable: String?
        func count<Found>(_ list: () throws -> [Found]) -> [Found] {
            do { return try list() } catch {
                // Pages that can't be counted may be there; those of a removed job are not.
                if GuardedFolder.status(at: folder) != nil { unreadable = "\(error)" }
                return []
            }
        }
        let numbers =
            count(spool.pageNumbers) + (isRunning ? [] : count(spool.arrivedNumbers))
        let ownFiles = isRead ? 0 : count { try OwnFiles.paths(in: folder) }.count
        problem = JobFolder.problem(in: folder) ?? unreadable
        pages = HeldPages.count(numbers, record)
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
            !isRunning && problem == nil && pages > 0
            && record.map { !$0.isOfFiles && $0.isRecording != true } ?? false
        isAtLeast = ownFiles > 0
        let delivered = max(0, (record?.deliveredPages ?? 0) - losses.pages)
        undeliveredPages = Self.undelivered(
            pages, safe: max(delivered, losses.seenPages), ownFiles: ownFiles)
        lostPages = min(losses.pages, undeliveredPages)
        isOpen =
            isContinuable
            && (record?.interruption != nil || (!isCaptured && undeliveredPages > 0))
        let place = GuardedFolder.ifUsable(at: folder)
        bytes = place.map(Self.bytes) ?? 0
        deliveredPages = record?.deliveredPages
        isRereadable = record?.isOfFiles ?? false
        hasFiles =
            record?.devices.allSatisfy {
                $0.hasPrefix("file:") && GuardedFolder.status(at: String($0.dropFirst(5))) != nil
            } ?? false
        let changed = place?.entry(JobRecord.fileName) ?? GuardedFolder.status(at: folder)
        touched = changed.map { Double($0.st_mtim.tv_sec) } ?? .infinity
    }

    private static func undelivered(
        _ pages: Int, safe: Int, ownFiles: Int
    ) -> Int {
        let captured = max(0, pages - safe)
        return ownFiles == 0 ? captured : max(1, captured, ownFiles - safe)
    }

    /// True when some output or sink lacks a page.
    var isIncomplete: Bool { pages > 0 && (deliveredPages ?? 0) < pages }

    /// True if the job is no longer needed at that time.
    ///
    /// This holds for a job that does not run, and either has been empty for more than a day, or
    /// has had every page delivered everywhere for longer than the days that such jobs are kept.
    /// Sheets between documents count as delivered. Partly read files are kept for their owner.
    ///
    /// A job with a page that some sink lacks, or that no place has anymore, is always kept.
    func isSpent(at date: Date, keeping: Int?) -> Bool {
        let age = (date.timeIntervalSince1970 - touched) / 86_400
        guard !isRunning, problem == nil, undeliveredPages == 0 else { return false }
        if pages == 0 && !isRereadable { return age > 1 }
        let isDone = interruption != nil || (asidePages != nil && blankPages == nil)
        guard isDone, let deliveredPages, deliveredPages >= pages, let keeping else { return false }
        return age > Double(keeping)
    }

    private static func bytes(in folder: GuardedFolder) -> Int {
        folder.listedNames.reduce(0) { sum, name in
            sum + (folder.entry(name).map { Int($0.st_blocks) * 512 } ?? 0)
        }
    }

    /// The pages that would be lost with the job.
    public var risk: PagesAtRisk {
        PagesAtRisk(
            pages: undeliveredPages, lostPages: lostPages, isAtLeast: isAtLeast, places: lost)
    }

    /// The reason why a job can't be discarded, without a command for another machine.
    private func refusal(of id: String) -> JobError {
        JobError(.undelivered, "\(risk.words ?? "") The job '\(id)' is kept.")
    }

    /// Permanently deletes the job and its pages.
    ///
    /// - Parameter force: true to delete pages that were never delivered.
    /// - Throws: ``JobError`` `running`, or `undelivered` without `force`; nothing is deleted then.
    public func discard(force: Bool = false) throws(JobError) {
        let held = try JobFolder(path: folder)
        // The pages are counted again, because another process may have captured more since the job
        // was listed.
        let job = StoredJob(folder: folder, isHeldHere: true)
        guard force || job.undeliveredPages == 0 else { throw job.refusal(of: id) }
        held.remove()
    }
}
