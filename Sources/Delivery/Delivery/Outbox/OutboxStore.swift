import ExpectedFailures
import FileNames
import FoundationEssentials
import Glibc
import GuardedFiles
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

    /// Checks that only this user and root can change the outbox's contents, if it exists.
    ///
    /// - Throws: ``DeliveryError`` `inputOutput`.
    public func check() throws(DeliveryError) { _ = try folder() }

    /// The thing that is in the place of a delivery's record but no file; nil for none.
    public var problem: String? { DeliveredNotes(self).problem }

    /// The open folder of the items; nil if there is none yet.
    func folder() throws(DeliveryError) -> GuardedFolder? {
        do throws(GuardedFileError) { return try GuardedFolder.own(root) } catch {
            throw DeliveryError(
                .inputOutput, error.message + " (or name a folder of your own in COPYSTAND_OUTBOX)")
        }
    }

    private var names: [String] { reportedLater { try folder()?.names() ?? [] } ?? [] }

    /// The waiting documents, oldest first; an unreadable item has its error instead.
    ///
    /// There are none where ``check()`` fails.
    public func items() -> [(id: String, item: Result<OutboxItem, DeliveryError>)] {
        names.filter(Self.isID).map { id in
            (id, Result { () throws(DeliveryError) in try item(id) })
        }
    }

    /// The item with that id.
    ///
    /// - Throws: ``DeliveryError``: `noSuchItem`, or `inputOutput` for one whose note is damaged,
    ///   or one with something else in the place of a file.
    public func item(_ id: String) throws(DeliveryError) -> OutboxItem {
        let path = folder(of: id) + "/" + Self.noteName
        let root = try existing(id)
        do {
            let folder = try root.folder(id)
            if let found = try folder.stranger() { throw found }
            let bytes = try folder.read(Self.noteName, atMost: Self.mostNoteBytes)
            var item = try JSONDecoder().decode(OutboxItem.self, from: Data(bytes))
            for file in item.files where !file.isPlain { throw OddName(name: file.name) }
            // A wrong count must not keep a document from being delivered.
            item.attempts = min(max(item.attempts, 0), 1_000_000_000)
            return item
        } catch let error as GuardedFileError where error.number == 0 {
            throw DeliveryError(.inputOutput, error.message)
        } catch {
            let fault = (error as? GuardedFileError)?.reason ?? jsonFault(error)
            throw DeliveryError(
                .inputOutput,
                "The note '\(path)' can't be read: \(fault). The document next to it is untouched; copy it, then: "
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
        _ = try existing(id)
        let lock = try lock(id)
        remove(id)
        withExtendedLifetime(lock) {}
    }

    /// The outbox's folder, if it has something with that id.
    private func existing(_ id: String) throws(DeliveryError) -> GuardedFolder {
        guard Self.isID(id), let folder = try folder() else { throw DeliveryError.noItem(id) }
        let about = try reading { () throws(GuardedFileError) in try folder.status(id) }
        guard about != nil else { throw DeliveryError.noItem(id) }
        return folder
    }

    /// The maximum size of an item's note in bytes, with the text of its pages: 256 MiB.
    private static let mostNoteBytes = 256 << 20

    /// A file that an item names, and that can't be in its folder.
    private struct OddName: Error, CustomStringConvertible {
        let name: String
        var description: String { "'\(name)' is not the name of a file in its folder" }
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
        let data: Data
        do { data = try encoder.encode(item) } catch {
            throw DeliveryError(.inputOutput, "The note of '\(item.id)' can't be written: \(error)")
        }
        let place = try OutputFolder(path: folder, for: Self.noteName, disk: disk)
        let file = try PartialFile(Self.noteName, in: place)
        try file.append(Array(data))
        try file.seal()
        try file.replace(Self.noteName)
        try place.sync()
    }

    /// The outbox's folder for clean-ups; nil where there is none, or none that may be used.
    private var usableFolder: GuardedFolder? { reportedLater { try folder() } }

    /// Removes an item that was delivered or dropped; it is renamed first, so that an incomplete
    /// item is never tried or listed.
    func remove(_ id: String) {
        guard let folder = usableFolder else { return }
        let gone = ".gone-" + id
        let isHidden = ifSupported { try folder.rename(id, replacing: gone) } != nil
        folder.removeTree(isHidden ? gone : id)
    }

    /// Removes the leftovers of processes that were killed while they wrote or removed a document.
    ///
    /// A new folder in use is locked; one without a lock is empty, and may get one yet.
    public func removeLeftovers() {
        guard let folder = usableFolder else { return }
        for name in names where name.hasPrefix(".gone-") { folder.removeTree(name) }
        for name in names where name.hasPrefix(".new-") {
            guard let status = folder.entry(name),
                folder.hasFile(name + "/lock")
                    || time(nil) - status.st_mtim.tv_sec > Self.leftoverAge,
                let lock = ifSupported({ try OutboxLock(folder: root + "/" + name, id: name) })
            else { continue }
            folder.removeTree(name)
            withExtendedLifetime(lock) {}
        }
    }

    /// Seconds after which a hidden folder without a lock counts as a leftover.
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

/// Does something with the outbox's files.
///
/// - Throws: ``DeliveryError``, naming what can't be read.
func reading<Value>(
    _ body: () throws(GuardedFileError) -> Value
) throws(DeliveryError) -> Value {
    do throws(GuardedFileError) { return try body() } catch { throw DeliveryError(error, "read") }
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
        let opened: CInt
        do throws(GuardedFileError) {
            let place = try GuardedFolder.folder(at: folder)
            try place.checkOwner()
            opened = try place.openOrCreate("lock")
        } catch {
            if error.code == .missing { throw .noItem(id) }
            throw DeliveryError(error, "use")
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
