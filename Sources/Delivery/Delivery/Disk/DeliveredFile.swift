import Glibc

/// A file as a sink left it, so that it is known again: nobody has replaced it or written to it
/// since when all of this is equal.
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

/// What a job has delivered of a document before, which a later state of that document may take the
/// place of.
public struct EarlierDelivery: Sendable {
    /// The states in which the document may stand, each with all of its files.
    ///
    /// As it was left, and as it was about to be left when the process ended; empty for a document
    /// that was never delivered.
    public var states: [[DeliveredFile]]
    /// The spooled files that a sink may have taken for its own when the process ended: another
    /// name of one is the document.
    public var linked: [String]
    /// Runs with the new files once they are complete, just before they get their names.
    ///
    /// A process that ends there knows them again by that; it does not run for a file that is a
    /// spooled one, which is known anyway. When it throws, the files get no names.
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

/// A sink that can put a document in the place of an earlier state of it.
public protocol ReplacingSink: Sink {
    /// The sink for the next state of a document.
    ///
    /// The files of `earlier` are replaced when all are untouched; where one is not, or is gone,
    /// the document goes to a free name, and the receipt says where. Nothing else is ever
    /// overwritten.
    func replacing(_ earlier: EarlierDelivery) -> any Sink

    /// Why none of these states of the document can be replaced; nil when one stands there
    /// untouched.
    func obstacle(to states: [[DeliveredFile]]) -> ReplacementObstacle?
}

/// Why a document is not put in the place of an earlier state of it.
public enum ReplacementObstacle: Hashable, Sendable {
    /// A file of it is gone.
    case gone
    /// A file of it was changed, or another one stands under its name.
    case changed
}
