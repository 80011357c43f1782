import Glibc
import Synchronization

/// The files of this process that are on their way, so that they can be taken away by a program
/// that ends at once.
public enum PartialFiles {
    private struct Place: Sendable {
        var folder: Int32
        var name: String
    }

    private static let places = Mutex<[ObjectIdentifier: Place]>([:])

    /// Notes where a file is being written; replaces what was noted before.
    static func note(_ file: PartialFile, _ folder: Int32, _ name: String) {
        places.withLock { $0[ObjectIdentifier(file)] = Place(folder: folder, name: name) }
    }

    /// Leaves a file alone: it is gone, or has a name of its own.
    static func forget(_ file: PartialFile) {
        _ = places.withLock { $0.removeValue(forKey: ObjectIdentifier(file)) }
    }

    /// Removes every file that is on its way (`unlinkat`); the process must end after that.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public static func removeAll() -> Int {
        places.withLock { places in
            for place in places.values { unlinkat(place.folder, place.name, 0) }
            defer { places = [:] }
            return places.count
        }
    }
}
