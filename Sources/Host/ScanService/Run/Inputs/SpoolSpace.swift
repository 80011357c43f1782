import Glibc

/// Checks whether the spool's disk has room to keep pages that could be read again.
struct SpoolSpace: Sendable {
    private let folder: String

    /// The room on the disk of `folder`.
    init(_ folder: String) { self.folder = folder }

    /// The minimum free space for pages that can't be read again: a gigabyte, or a tenth of a small
    /// disk.
    private static let least: UInt64 = 1 << 30

    /// True when so little is free that pages that can be read again are released.
    var isShort: Bool {
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return false }
        let block = UInt64(disk.f_frsize)
        let (free, isHuge) = UInt64(disk.f_bavail).multipliedReportingOverflow(by: block)
        let (size, isVast) = UInt64(disk.f_blocks).multipliedReportingOverflow(by: block)
        guard !isHuge, !isVast else { return false }
        return free < min(Self.least, size / 10)
    }
}
