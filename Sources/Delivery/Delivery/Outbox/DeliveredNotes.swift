package import Archive
import Documents
import ExpectedFailures
import FoundationEssentials
import GuardedFiles

/// The outbox's records of delivered documents.
///
/// A job that was killed after its delivery delivers again when it is resumed, and finds the record
/// here by the item's name. The receipt is also stored here until the archive has it. Records are
/// deleted after a year.
struct DeliveredNotes {
    /// A delivery.
    struct Note: Codable {
        var receipt: Receipt
        var job: String
        /// The time, in seconds since 1970.
        var made: Double
        /// The folder of the archive that still lacks the receipt; nil when it has it.
        var archive: String?
        /// The document's files on this machine, as they were left; nil for a service.
        var files: [DeliveredFile]?
        /// The user who ordered the document; nil when unknown.
        var user: ArchiveUser?
    }

    private let store: OutboxStore
    static let folderName = "delivered"
    private var folder: String { store.root + "/" + Self.folderName }

    /// The seconds for which a record is kept.
    private static let keeping = 365.0 * 86_400

    init(_ store: OutboxStore) { self.store = store }

    /// The note of an item; nil when it was not delivered, or when the note can't be read.
    ///
    /// To decide whether to deliver the item again, use ``standing(_:)``.
    func note(_ id: String) -> Note? { asHint { try readNote(id) } }

    private func readNote(_ id: String) throws(DeliveryError) -> Note? {
        guard OutboxStore.isID(id) else { return nil }
        let read = try reading { () throws(GuardedFileError) in
            try ifPresent { () throws(GuardedFileError) in
                try GuardedFolder.folder(at: folder).read(id, atMost: Self.mostBytes)
            }
        }
        return read.flatMap { bytes in
            ofKnownForm { try JSONDecoder().decode(Note.self, from: Data(bytes)) }
        }
    }

    /// Checks that the note of an item is a file, if there is one.
    func check(_ id: String) throws(DeliveryError) {
        guard let folder = try opened() else { return }
        try reading { () throws(GuardedFileError) in try folder.checkFile(id) }
    }

    /// The thing that is in the place of a note but no file; nil for none.
    var problem: String? {
        do throws(DeliveryError) {
            let folder = try opened()
            return try reading { () throws(GuardedFileError) in try folder?.stranger()?.message }
        } catch { return error.message }
    }

    /// The open folder of the notes; nil if there is none yet.
    private func opened() throws(DeliveryError) -> GuardedFolder? {
        guard let root = try store.folder() else { return nil }
        return try reading { () throws(GuardedFileError) in
            try root.status(Self.folderName) == nil ? nil : root.folder(Self.folderName)
        }
    }

    /// The maximum size of a note in bytes: 16 MiB.
    private static let mostBytes = 16 << 20

    /// The record of an item whose files on this machine, if any, are unchanged.
    ///
    /// A document that no longer exists counts as not delivered, whatever was noted.
    ///
    /// - Throws: ``DeliveryError`` `inputOutput` when the record can't be read: the item may have
    ///   been delivered.
    func standing(_ id: String) throws(DeliveryError) -> Note? {
        guard let note = try readNote(id) else { return nil }
        guard let files = note.files, files.contains(where: { $0.loss != nil }) else {
            return note
        }
        remove(id)
        return nil
    }

    private func remove(_ id: String) { GuardedFolder.ifUsable(at: folder)?.discard(id) }

    /// Writes a note: whole, and on the disk before this returns.
    func write(_ note: Note, _ id: String) throws(DeliveryError) {
        let made: GuardedFolder
        do throws(GuardedFileError) {
            made = try GuardedFolder(store.root).ownFolder(Self.folderName)
        } catch { throw DeliveryError(error, "write") }
        if made.isNew {
            try OutputFolder(path: store.root, for: Self.folderName, disk: store.disk).sync()
        }
        let data: Data
        do { data = try JSONEncoder().encode(note) } catch {
            throw DeliveryError(.inputOutput, "The receipt of '\(id)' can't be written: \(error)")
        }
        let place = try OutputFolder(path: folder, for: id, disk: store.disk)
        let file = try PartialFile(id, in: place)
        try file.append(Array(data))
        try file.seal()
        try file.replace(id)
        try place.sync()
    }

    /// Notes a delivery in the archive, which has no note of it yet.
    ///
    /// If the archive does not have the job's document yet, this is tried again later.
    func settle(_ id: String) {
        guard var note = note(id), let folder = note.archive else { return }
        do {
            let archive = try Archive.open(folder, .readWrite)
            let isKept = try archive.used(by: note.user?.seeingAll ?? archive.user)
                .keep(note.kept, fields: note.fields, of: note.job)
            guard isKept else { return }
            note.archive = nil
            try write(note, id)
        } catch {
            // The record stays, and the next delivery tries again.
        }
    }

    /// Notes deliveries in archives that do not know of them yet, and drops notes older than a
    /// year.
    func settleAll(now: Double) {
        let names = GuardedFolder.ifUsable(at: folder)?.listedNames ?? []
        for id in names where OutboxStore.isID(id) {
            guard let note = note(id) else { continue }
            if note.archive != nil { settle(id) }
            if now - note.made > Self.keeping { remove(id) }
        }
    }
}

extension DeliveredNotes.Note {
    /// The receipt in the archive's form, one row for each location.
    fileprivate var kept: [KeptReceipt] { receipt.kept(made: made) }

    /// The fields that the sink's answer added to the document.
    fileprivate var fields: [Field] {
        (receipt.fields ?? [:]).sorted { $0.key < $1.key }
            .map { Field(name: $0.key, value: $0.value, source: receipt.sink) }
    }
}

extension Receipt {
    /// The receipt in the archive's form, one row for each location.
    ///
    /// - Parameter made: seconds since 1970.
    package func kept(made: Double) -> [KeptReceipt] {
        locations.enumerated().map { index, place in
            KeptReceipt(
                sink: sink, place: place, made: made,
                hash: hashes.flatMap { $0.indices.contains(index) ? $0[index] : nil },
                remoteID: remoteID)
        }
    }
}
