import Glibc

/// A file as a sink left it: while all values are unchanged, no one has replaced the file or
/// written to it.
public struct DeliveredFile: Codable, Hashable, Sendable {
    /// The file's name within the document's folder.
    public var name: String
    /// The file's inode number (`st_ino`).
    public var inode: UInt64
    /// The file's size in bytes.
    public var size: Int
    /// The file's modification time, in nanoseconds since 1970 (`st_mtim`).
    public var modified: Int64

    init(name: String, _ status: stat) {
        self.name = name
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    /// True if another value is for the same file in the same state, with any name.
    func isSame(as other: DeliveredFile) -> Bool { self == other.renamed(name) }

    /// The same file with another name.
    public func renamed(_ name: String) -> DeliveredFile {
        var file = self
        file.name = name
        return file
    }
}

/// An earlier state of a document that a job has delivered, which a later state may replace.
public struct EarlierDelivery: Sendable {
    /// The states in which the document may be now, each with all of its files.
    ///
    /// A state was either delivered, or about to be delivered when the process ended. The list is
    /// empty for a document that was never delivered.
    public var states: [[DeliveredFile]]
    /// Spooled files that a sink may have linked as the document before the process ended.
    public var linked: [String]
    /// Called with the complete new files, just before they get their names.
    ///
    /// If the process ends at this point, these states identify the files later. It does not run
    /// for a spooled file, which is recognized anyway. When it throws, the files get no names.
    public var willPlace: @Sendable ([DeliveredFile]) throws(DeliveryError) -> Void

    /// An earlier delivery, which left one of these states.
    public init(
        states: [[DeliveredFile]], linked: [String] = [],
        willPlace: @escaping @Sendable ([DeliveredFile]) throws(DeliveryError) -> Void = { _ in }
    ) {
        self.states = states
        self.linked = linked
        self.willPlace = willPlace
    }
}

/// A sink that can replace an earlier state of a document.
public protocol ReplacingSink: Sink {
    /// The sink for the next state of a document.
    ///
    /// The files of `earlier` are replaced if all are untouched. If one was changed or is missing,
    /// the document gets an unused name, which the receipt contains. No other file is ever
    /// overwritten.
    func replacing(_ earlier: EarlierDelivery) -> any Sink

    /// The reason why none of these states of the document can be replaced; nil when one of them is
    /// untouched.
    func obstacle(to states: [[DeliveredFile]]) -> ReplacementObstacle?
}

/// The reason why a document does not replace its earlier state.
public enum ReplacementObstacle: Hashable, Sendable {
    /// A file of the earlier state is missing.
    case gone
    /// A file of the earlier state was changed, or another file has its name.
    case changed
}
