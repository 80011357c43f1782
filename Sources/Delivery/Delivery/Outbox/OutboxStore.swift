import FileNames
import FoundationEssentials
import Glibc
public import UserFiles

/// The folder of all waiting documents: a subfolder for each, with its files and `item.json`.
///
/// Several processes may use it at once; a process locks the item that it works on.
public struct OutboxStore: Sendable {
    /// The folder that holds the items' folders.
    public let root: String
    let disk: Disk

    /// A store in `root`, which is made when the first item is added.
    public init(root: String) { self.init(root: root, disk: .live) }

    init(root: String, disk: Disk) {
        self.root = root
        self.disk = disk
    }

    /// The user's store: `$COPYSTAND_OUTBOX`, or else `outbox` in the user's folder of state.
    ///
    /// - Throws: `UserFileError` when there is no such folder of the user's.
    public static func standard(
        environment: [String: String]
    ) throws(UserFileError) -> OutboxStore {
        if let named = environment["COPYSTAND_OUTBOX"], named.hasPrefix("/") {
            return OutboxStore(root: named)
        }
        return OutboxStore(
            root: try UserFolders(environment: environment).usable(.state) + "/outbox")
    }

    /// The waiting documents, oldest first; an unreadable item has its error instead.
    public func items() -> [(id: String, item: Result<OutboxItem, DeliveryError>)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter(Self.isID).sorted().map { id in
            (id, Result { () throws(DeliveryError) in try item(id) })
        }
    }

    /// The item with that id.
    ///
    /// - Throws: ``DeliveryError``: `noSuchItem`, or `inputOutput` for one whose note is damaged.
    public func item(_ id: String) throws(DeliveryError) -> OutboxItem {
        let path = folder(of: id) + "/" + Self.noteName
        guard Self.isID(id), FileManager.default.fileExists(atPath: folder(of: id)) else {
            throw DeliveryError.noItem(id)
        }
        do {
            var item = try JSONDecoder().decode(
                OutboxItem.self, from: Data(contentsOf: URL(filePath: path)))
            // A wrong count must not keep a document from being delivered.
            item.attempts = min(max(item.attempts, 0), 1_000_000_000)
            return item
        } catch {
            throw DeliveryError(
                .inputOutput,
                "The note '\(path)' can't be read: \(jsonFault(error)). The document next to it is untouched; copy it, then: "
                    + "copystand outbox drop \(id)")
        }
    }

    /// The number of bytes of an item's document that were sent.
    ///
    /// Nil while it is not being uploaded, and for a document that is small or sent by a separate
    /// program, such as rclone.
    public func sentBytes(of id: String) -> Int? {
        Self.isID(id) ? UploadProgress.sent(in: folder(of: id)) : nil
    }

    /// Deletes an item and its document.
    ///
    /// - Throws: ``DeliveryError``: `noSuchItem`, or `busy` while it is being delivered.
    public func drop(_ id: String) throws(DeliveryError) {
        guard Self.isID(id), FileManager.default.fileExists(atPath: folder(of: id)) else {
            throw DeliveryError.noItem(id)
        }
        let lock = try lock(id)
        remove(id)
        withExtendedLifetime(lock) {}
    }

    /// The path of an item's folder.
    func folder(of id: String) -> String { root + "/" + id }

    /// Locks an item for this process.
    ///
    /// - Throws: ``DeliveryError`` `busy` when another one has it.
    func lock(_ id: String) throws(DeliveryError) -> OutboxLock {
        try OutboxLock(folder: folder(of: id), id: id)
    }

    /// Writes an item's note: whole, and on the disk before this returns.
    func save(_ item: OutboxItem) throws(DeliveryError) {
        try write(item, to: folder(of: item.id))
    }

    func write(_ item: OutboxItem, to folder: String) throws(DeliveryError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let data = try? encoder.encode(item) else {
            throw DeliveryError(.inputOutput, "The note of '\(item.id)' can't be written.")
        }
        let place = try OutputFolder(path: folder, for: Self.noteName, disk: disk)
        let file = try PartialFile(Self.noteName, in: place)
        try file.append(Array(data))
        try file.seal()
        try file.replace(Self.noteName)
        try place.sync()
    }

    /// Removes an item that was delivered or dropped; it is renamed first, so that an incomplete
    /// item is never tried or listed.
    func remove(_ id: String) {
        let gone = root + "/.gone-" + id
        let isHidden = rename(folder(of: id), gone) == 0
        try? FileManager.default.removeItem(atPath: isHidden ? gone : folder(of: id))
    }

    /// Removes the leftovers of processes that were killed while they wrote or removed a document.
    ///
    /// Hidden folders in use are locked; new ones may not be locked yet.
    func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        for name in names where name.hasPrefix(".new-") || name.hasPrefix(".gone-") {
            var status = stat()
            guard lstat(root + "/" + name, &status) == 0,
                time(nil) - status.st_mtim.tv_sec > Self.leftoverAge,
                let lock = try? OutboxLock(folder: root + "/" + name, id: name)
            else { continue }
            try? FileManager.default.removeItem(atPath: root + "/" + name)
            withExtendedLifetime(lock) {}
        }
    }

    /// Seconds after which a hidden folder that nobody has locked counts as a leftover.
    private static let leftoverAge = 60

    static let noteName = "item.json"

    /// An item's id begins with its time, so that ids sort by age; see ``OutboxStaging``.
    static func isID(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.count == 22
            && bytes.enumerated().allSatisfy { index, byte in
                switch index {
                case 8, 15: byte == UInt8(ascii: "-")
                case 16...: (48...57).contains(byte) || (97...122).contains(byte)
                default: (48...57).contains(byte)
                }
            }
    }
}

extension DeliveryError {
    /// The error for an item that is not there.
    fileprivate static func noItem(_ id: String) -> DeliveryError {
        DeliveryError(
            .noSuchItem, "Nothing in the outbox is called '\(id)'. See: copystand outbox")
    }
}

/// A process's lock on an item; it ends with the process.
final class OutboxLock: Sendable {
    private let descriptor: CInt

    init(folder: String, id: String) throws(DeliveryError) {
        let opened = open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else {
            if errno == ENOENT { throw .noItem(id) }
            throw .disk(errno, "use", "lock", in: folder)
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            throw DeliveryError(.busy, "'\(id)' is being delivered by another process.")
        }
        descriptor = opened
    }

    deinit {
        // Closing is not enough: a child process that is being started holds the same lock until it
        // runs its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
