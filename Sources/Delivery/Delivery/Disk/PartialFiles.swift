import Glibc
import Synchronization

/// The files that this process is writing, so that a program that ends immediately can remove them.
public enum PartialFiles {
    private struct Place: Sendable {
        var folder: Int32
        var name: String
    }

    private static let places = Mutex<[ObjectIdentifier: Place]>([:])

    /// Records where a file is being written; replaces its earlier record.
    static func note(_ file: PartialFile, _ folder: Int32, _ name: String) {
        places.withLock { $0[ObjectIdentifier(file)] = Place(folder: folder, name: name) }
    }

    /// Removes the record of a file that is gone or has its final name.
    static func forget(_ file: PartialFile) {
        _ = places.withLock { $0.removeValue(forKey: ObjectIdentifier(file)) }
    }

    /// Removes every file that is being written (`unlinkat`); the process must then end.
    ///
    /// - Returns: the number of removed files.
    @discardableResult
    public static func removeAll() -> Int {
        places.withLock { places in
            for place in places.values { unlinkat(place.folder, place.name, 0) }
            defer { places = [:] }
            return places.count
        }
    }
}
