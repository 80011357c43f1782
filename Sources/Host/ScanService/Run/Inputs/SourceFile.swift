import Glibc

/// The state of a file at one time, for example when a page was read from it.
public struct SourceFile: Hashable, Sendable {
    let path: String
    private let device: dev_t
    private let inode: ino_t
    let size: off_t
    private let modified: Int64
    private let changed: Int64

    /// The file at `path`; nil when there is no plain file.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
        size = status.st_size
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    /// The file of a page from a device of files; nil when the file is not certain, or
    /// has changed since `begun`.
    ///
    /// - Parameters:
    ///   - device: the device's id, `file:` and a path.
    ///   - label: the page's label: in a folder the name of its file, before `, page` and a number.
    ///   - begun: the time when the reading began, according to ``now``.
    init?(device: String, label: String?, begun: Int64) {
        guard device.hasPrefix("file:") else { return nil }
        let place = String(device.dropFirst(5))
        var status = stat()
        guard stat(place, &status) == 0 else { return nil }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let names = isFolder ? Self.names(label) : [place]
        guard
            let file = names.lazy.compactMap({ SourceFile(path: isFolder ? "\(place)/\($0)" : $0) })
                .first,
            max(file.modified, file.changed) < begun - Self.clockStep
        else { return nil }
        self = file
    }

    /// True when the file still has the same state.
    public var isUnchanged: Bool { SourceFile(path: path) == self }

    /// The present time in nanoseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time)
    }

    /// A file's time may lag behind the clock by a tick of the kernel, in nanoseconds.
    private static let clockStep: Int64 = 20_000_000

    /// The names of files that a label may stand for.
    private static func names(_ label: String?) -> [String] {
        guard let label else { return [] }
        guard let comma = label.utf8.lastIndex(of: UInt8(ascii: ",")) else { return [label] }
        let rest = label[comma...]
        return rest.hasPrefix(", page ") ? [label, String(label[..<comma])] : [label]
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (whole, isTooLarge) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : whole.addingReportingOverflow(Int64(time.tv_nsec)).partialValue
    }
}
