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
    /// Pages that are safe in its folder.
    public let pages: Int
    /// Bytes that its folder takes on the disk.
    public let bytes: Int
    /// Why its capturing ended early and where it goes on; nil for a job that runs, or that a crash of the host has ended.
    public let interruption: Interruption?
    /// How many blank pages its files do without, for which it is kept; nil for none.
    public let blankPages: Int?
    /// The files it has delivered so far, as they were ordered.
    public let delivered: [String]
    /// True when `scan --append` can go on with it: it does not run, has pages, and they came from a device.
    public let isContinuable: Bool
    /// What was ordered; nil when the order is missing or damaged.
    public let order: ScanOrder?

    init(folder: String) {
        self.folder = folder
        id = folder.lastComponent
        isRunning = JobFolder.isHeld(folder)
        pages = (try? SpoolFolder(path: folder).pages().count) ?? 0
        let record = try? JobRecord.read(from: folder)
        order = record?.order
        interruption = isRunning ? nil : record?.interruption
        blankPages = isRunning ? nil : record?.blankPages
        delivered = (record?.deliveries ?? [:]).filter {
            !$0.value.left.isEmpty || $0.value.document != nil
        }.keys.sorted()
        isContinuable = !isRunning && pages > 0 && record.map { !$0.isRereadable } ?? false
        bytes = Self.bytes(in: folder)
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
