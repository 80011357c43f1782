import Archive
import ExpectedFailures
import Glibc
import Synchronization

/// Copies of a store's images in a folder of this machine; the oldest are removed when they take
/// too much space.
///
/// An image that can't be copied is read from the store each time.
final class LocalCopies: Sendable {
    private let store: any ImageStore
    /// The maximum size of all copies in bytes.
    private static let most = 1 << 30
    /// The seconds for which a copy stays at least, because a program may read it by its path.
    private static let keeping = 3_600.0

    /// The bytes that were added since the folder was last examined.
    private let added = Mutex(LocalCopies.most)

    init(folder: String) { store = Archive.images(in: folder) }

    func path(of hash: ImageHash) -> String { store.name(of: hash) }

    func read(_ hash: ImageHash) -> [UInt8]? { asHint { try store.read(hash) } }

    func open(_ hash: ImageHash) -> (descriptor: Int32, count: Int)? {
        asHint { try store.open(hash) }
    }

    /// Keeps a copy, if possible.
    func keep(_ bytes: [UInt8], _ hash: ImageHash) {
        asHint { close(try add(bytes, hash).descriptor) }
    }

    /// Keeps a copy, and opens it.
    func add(
        _ bytes: [UInt8], _ hash: ImageHash
    ) throws(ArchiveError) -> (descriptor: Int32, count: Int) {
        // A damaged copy would stay as it is.
        if let file = open(hash) {
            close(file.descriptor)
        } else {
            try store.remove(store.name(of: hash))
        }
        try makeFolder(store.place)
        try store.add(bytes, as: hash)
        let isDue = added.withLock { added in
            added += bytes.count
            guard added >= Self.most / 8 else { return false }
            added = 0
            return true
        }
        if isDue { cleaningUp { try shrink() } }
        return try store.open(hash)
    }

    private func shrink() throws(ArchiveError) {
        var files: [StoredImage] = []
        try store.eachFile { files.append($0) }
        var bytes = files.reduce(0) { $0 + $1.bytes }
        for file in files.sorted(by: { $0.age > $1.age }) where bytes > Self.most {
            guard file.age > Self.keeping else { return }
            try store.remove(file.name)
            bytes -= file.bytes
        }
    }
}
