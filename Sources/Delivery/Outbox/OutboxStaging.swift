import Documents
import FoundationEssentials
import Glibc

/// A document on its way into the outbox: written under a hidden name, and there as a whole or not at all.
final class OutboxStaging {
    /// The item's name.
    let id: String
    /// The hidden folder the files are written to.
    let folder: String
    private let store: OutboxStore
    private var isPlaced = false

    /// Makes the hidden folder.
    ///
    /// - Parameter created: seconds since 1970; names sort by it.
    init(in store: OutboxStore, at created: Double) throws(DeliveryError) {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let random = String((0..<6).map { _ in letters.randomElement() ?? "x" })
        let date = Timestamp(seconds: created)
        id =
            "\(padded(date.year, 4))\(padded(date.month, 2))\(padded(date.day, 2))-"
            + "\(padded(date.hour, 2))\(padded(date.minute, 2))\(padded(date.second, 2))-\(random)"
        folder = store.root + "/.new-" + id
        self.store = store
        do {
            // Documents are private: nobody else may look into the outbox.
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .disk(errno, "write", folder, in: "")
        }
    }

    deinit { if !isPlaced { try? FileManager.default.removeItem(atPath: folder) } }

    /// Makes the item durable and visible.
    func place(_ item: OutboxItem) throws(DeliveryError) {
        try store.write(item, to: folder)
        let root = try OutputFolder(path: store.root, for: id, disk: store.disk)
        guard renameat(root.descriptor, ".new-" + id, root.descriptor, id) == 0 else {
            throw .disk(errno, "write", id, in: store.root)
        }
        isPlaced = true
        try root.sync()
    }
}
