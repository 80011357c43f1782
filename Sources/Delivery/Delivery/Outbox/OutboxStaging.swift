import Archive
import Documents
import Glibc
import GuardedFiles

/// A document that is being put into the outbox: it is written under a hidden name, and appears
/// completely or not at all.
final class OutboxStaging {
    /// The hidden folder the files are written to.
    let folder: String
    private let mark: String
    private let store: OutboxStore
    private let created: Double
    /// Held until the item is placed, so that others know that the folder is in use.
    private var lock: OutboxLock?

    /// Makes the hidden folder, and removes those of killed processes.
    ///
    /// - Parameter created: seconds since 1970; names sort by it.
    init(in store: OutboxStore, at created: Double) throws(DeliveryError) {
        let letters = Array(Self.letters)
        mark = String((0..<6).map { _ in letters.randomElement() ?? "x" })
        folder = store.root + "/.new-" + Self.name(at: created, mark)
        self.store = store
        self.created = created
        try store.check()
        store.removeLeftovers()
        // Documents are private: nobody else may look into the outbox.
        try makePrivateFolder(folder)
        lock = try OutboxLock(folder: folder, id: mark)
    }

    deinit { if lock != nil { GuardedFolder.removeTree(at: folder) } }

    /// The name the item will have: for a job's document the same at every try, so that it is
    /// recognized.
    ///
    /// - Parameter pages: the names of the pages at their sources.
    func id(sink: String, job: String?, pages: [String]) -> String {
        guard let job else { return Self.name(at: created, mark) }
        let hash = ImageHash(
            of: Array("\(job)\n\(sink)\n\(pages.count)\n\(pages.joined(separator: "\n"))".utf8))
        var number = hash.bytes.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let letters = Array(Self.letters)
        var mark = ""
        for _ in 0..<6 {
            mark.append(letters[Int(number % UInt64(letters.count))])
            number /= UInt64(letters.count)
        }
        return Self.name(at: created, mark)
    }

    private static let letters = "abcdefghijklmnopqrstuvwxyz0123456789"

    private static func name(at created: Double, _ mark: String) -> String {
        let date = Timestamp(seconds: created)
        return "\(padded(date.year, 4))\(padded(date.month, 2))\(padded(date.day, 2))-"
            + "\(padded(date.hour, 2))\(padded(date.minute, 2))\(padded(date.second, 2))-\(mark)"
    }

    /// Makes the item durable and visible.
    ///
    /// An existing item of that name is the same document, from an interrupted try; it stays.
    func place(_ item: OutboxItem) throws(DeliveryError) {
        try store.write(item, to: folder)
        let root = try OutputFolder(path: store.root, for: item.id, disk: store.disk)
        let hidden = String(folder.dropFirst(store.root.utf8.count + 1))
        do throws(GuardedFileError) {
            guard try GuardedFolder(store.root).rename(folder: hidden, as: item.id) else { return }
        } catch { throw DeliveryError(error, "write") }
        lock = nil
        try root.sync()
    }
}
