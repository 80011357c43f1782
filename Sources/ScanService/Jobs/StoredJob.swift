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
    /// Pages that are safe in its folder, those included whose last row had come when the host was killed.
    public let pages: Int
    /// Bytes that its folder takes on the disk.
    public let bytes: Int
    /// Why its capturing ended early and where it goes on; nil for a job that runs, or that a crash of the host has ended.
    public let interruption: Interruption?
    /// How many blank pages its files do without, for which it is kept; nil for none.
    public let blankPages: Int?
    /// How many sheets between documents are in no document, for which it is kept; nil for none.
    public let asidePages: Int?
    /// The files it has delivered so far, as they were ordered.
    public let delivered: [String]
    /// True when `scan --append` can go on with it: it does not run, has pages, and they came from a device.
    public let isContinuable: Bool
    /// What was ordered; nil when the order is missing or damaged.
    public let order: ScanOrder?

    /// How many of its pages every output and sink has; nil when one has not got its document.
    private let deliveredPages: Int?
    /// True when its pages are read again from files.
    public let isRereadable: Bool
    /// When something last became of it, in seconds since 1970.
    private let touched: Double

    /// A job in a folder.
    ///
    /// - Parameter isHeldHere: true where this process holds it, which then does not count as running.
    init(folder: String, isHeldHere: Bool = false) {
        self.folder = folder
        id = folder.lastComponent
        isRunning = !isHeldHere && JobFolder.isHeld(folder)
        let spool = SpoolFolder(path: folder)
        pages = ((try? spool.pages().count) ?? 0) + (isRunning ? 0 : spool.arrivedCount)
        let record = try? JobRecord.read(from: folder)
        order = record?.order
        interruption = isRunning ? nil : record?.interruption
        blankPages = isRunning ? nil : record?.blankPages
        asidePages = isRunning ? nil : record?.asidePages
        delivered = (record?.deliveries ?? [:]).filter {
            !$0.value.left.isEmpty || $0.value.document != nil
        }.keys.sorted()
        isContinuable = !isRunning && pages > 0 && record.map { !$0.isRereadable } ?? false
        bytes = Self.bytes(in: folder)
        deliveredPages = record?.deliveredPages
        isRereadable = record?.isRereadable ?? false
        var status = stat()
        let isThere =
            lstat(folder + "/" + JobRecord.fileName, &status) == 0 || lstat(folder, &status) == 0
        touched = isThere ? Double(status.st_mtim.tv_sec) : .infinity
    }

    /// Whether the job is of no more use at that moment.
    ///
    /// It does not run, and either has nothing, for more than a day, or every page it has is delivered everywhere, for longer than the days that such jobs
    /// are kept; sheets between documents count as delivered. Files that were read only in part stay their owner's.
    ///
    /// A job with a page that a sink has not got is never spent.
    func isSpent(at date: Date, keeping: Int?) -> Bool {
        let age = (date.timeIntervalSince1970 - touched) / 86_400
        guard !isRunning else { return false }
        if pages == 0 && !isRereadable { return age > 1 }
        let isDone = interruption != nil || (asidePages != nil && blankPages == nil)
        guard isDone, deliveredPages == pages, let keeping else { return false }
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

    /// Deletes the job and its pages for good.
    ///
    /// - Throws: ``JobError`` `running`.
    public func discard() throws(JobError) {
        try JobFolder(path: folder).remove()
    }
}
