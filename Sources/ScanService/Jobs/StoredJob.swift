import CaptureHost

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
    /// What was ordered; nil when the order is missing or damaged.
    public let order: ScanOrder?

    init(folder: String) {
        self.folder = folder
        id = folder.lastComponent
        isRunning = JobFolder.isHeld(folder)
        pages = (try? SpoolFolder(path: folder).pages().count) ?? 0
        order = try? JobRecord.read(from: folder).order
    }

    /// Deletes the job and its pages for good.
    ///
    /// - Throws: ``JobError`` `running`.
    public func discard() throws(JobError) {
        try JobFolder(path: folder).remove()
    }
}
