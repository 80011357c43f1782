import Glibc

/// A file as a sink left it: while all of this is unchanged, nobody has replaced the file or
/// written to it.
public struct DeliveredFile: Codable, Hashable, Sendable {
    /// Its name within the document's folder.
    public var name: String
    /// Its number in the file system (`st_ino`).
    public var inode: UInt64
    /// Its bytes.
    public var size: Int
    /// When it was last written, in nanoseconds since 1970 (`st_mtim`).
    public var modified: Int64

    init(name: String, _ status: stat) {
        self.name = name
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    /// Whether it is the same file in the same state, whatever its name.
    func isSame(as other: DeliveredFile) -> Bool { self == other.renamed(name) }

    /// The same by another name.
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
    /// As it was left, and as it was about to be left when the process ended; empty for a document
    /// that was never delivered.
    public var states: [[DeliveredFile]]
    /// Spooled files that a sink may have linked as the document before the process ended.
    public var linked: [String]
    /// Runs with the new files once they are complete, just before they get their names.
    ///
    /// If the process ends there, the files are recognized by that later. It does not run for a
    /// spooled file, which is recognized anyway. When it throws, the files get no names.
    public var willPlace: @Sendable ([DeliveredFile]) throws(DeliveryError) -> Void

    /// An earlier delivery that left one of these states.
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
    /// The files of `earlier` are replaced when all are untouched; where one is not, or is gone,
    /// the document goes to a free name, and the receipt says where. Nothing else is ever
    /// overwritten.
    func replacing(_ earlier: EarlierDelivery) -> any Sink

    /// Why none of these states of the document can be replaced; nil when one is there untouched.
    func obstacle(to states: [[DeliveredFile]]) -> ReplacementObstacle?
}

/// Why a document does not replace an earlier state of it.
public enum ReplacementObstacle: Hashable, Sendable {
    /// A file of it is gone.
    case gone
    /// A file of it was changed, or another one has its name.
    case changed
}
