public import Documents
import FileNames

/// A place that a document was delivered to, as the archive keeps it.
public struct KeptReceipt: Codable, Hashable, Sendable {
    /// The sink's name, or a file's path as requested.
    public var sink: String
    /// The document's place: a file's path, or a service's address or name for the document.
    public var place: String
    /// The time of delivery, in seconds since 1970.
    public var made: Double
    /// The SHA-256 of the delivered data, in hexadecimal digits; nil when unknown.
    public var hash: String?
    /// The sink's own name for the document; nil where it gave none.
    public var remoteID: String?

    /// A receipt.
    public init(
        sink: String, place: String, made: Double, hash: String? = nil, remoteID: String? = nil
    ) {
        self.sink = sink
        self.place = place
        self.made = made
        self.hash = hash
        self.remoteID = remoteID
    }

    /// The receipt with names in place of the folders of this machine.
    var withoutFolders: KeptReceipt {
        KeptReceipt(
            sink: PlaceNames.name(of: sink), place: PlaceNames.name(of: place), made: made,
            hash: hash, remoteID: remoteID.map(PlaceNames.name))
    }
}

extension Archive {
    /// Keeps receipts with the document that a job delivered last, and the fields that sinks have
    /// added to it.
    ///
    /// A receipt replaces an earlier one of the same sink and place, so that a repeated call adds
    /// nothing.
    ///
    /// - Parameter fields: New facts about the document, with their source.
    /// - Returns: False when the archive has no document of that job.
    /// - Throws: ``ArchiveError``.
    @discardableResult
    public func keep(
        _ receipts: [KeptReceipt], fields: [Field] = [], of job: String
    ) throws(ArchiveError) -> Bool {
        try access { database in
            try database.write {
                guard let latest = try JobTable(database).latest(of: job) else { return false }
                let document = try database.seeHeld(latest.id)
                try Self.insert(receipts, document, database)
                let known = try HistoryTable(database).load(document).current.fields
                let news = fields.filter { !known.contains($0) }
                _ = try Self.perform(
                    news.map { .setField(name: $0.name, value: $0.value, source: $0.source) },
                    document, database)
                return true
            }
        }
    }

    /// Keeps receipts with a document; each replaces one of the same sink and place.
    ///
    /// - Throws: ``ArchiveError``.
    public func keep(_ receipts: [KeptReceipt], of document: DocumentID) throws(ArchiveError) {
        try access { database in
            try database.write {
                let document = try database.seeHeld(document)
                _ = try Self.summary(document, database)
                try Self.insert(receipts, document, database)
            }
        }
    }

    /// Keeps receipts, and notes in the history where the document was sent now.
    ///
    /// An archive that machines share gets names instead of this machine's folders.
    private static func insert(
        _ receipts: [KeptReceipt], _ document: SeenDocument, _ database: any ArchiveDatabase
    ) throws {
        let isShared = database is PostgreSQLDatabase
        let receipts = isShared ? receipts.map(\.withoutFolders) : receipts
        let known = Set(try Self.receipts(document, database))
        var sinks: [String] = []
        for receipt in receipts {
            try insert(receipt, document, database)
            if !known.contains(receipt), !sinks.contains(receipt.sink) {
                sinks.append(receipt.sink)
            }
        }
        for sink in sinks { try AuditTable(database).add(.sent, sink, to: [document]) }
    }

    /// Keeps a receipt, replacing one of the same sink and place.
    static func insert(
        _ receipt: KeptReceipt, _ document: SeenDocument, _ database: any ArchiveDatabase
    ) throws {
        try database.run(
            SQLText(
                sqlite: """
                    INSERT INTO receipt (document, sink, place, made, hash, remote)
                    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (document, sink, place) DO UPDATE SET
                        made = excluded.made, hash = excluded.hash, remote = excluded.remote
                    """,
                postgresql: """
                    INSERT INTO receipt (document, sink, place, made, hash, remote)
                    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (document, mark) DO UPDATE SET
                        made = excluded.made, hash = excluded.hash, remote = excluded.remote
                    """),
            [
                document.value, .text(receipt.sink), .text(receipt.place),
                .real(receipt.made), .text(receipt.hash), .text(receipt.remoteID),
            ])
    }

    /// A document's receipts, the oldest first.
    static func receipts(
        _ document: SeenDocument, _ database: any ArchiveDatabase
    ) throws -> [KeptReceipt] {
        try database.all(
            "SELECT sink, place, made, hash, remote FROM receipt WHERE document = ? ORDER BY made, id",
            [document.value]
        ) {
            KeptReceipt(
                sink: try $0.text(0), place: try $0.text(1), made: try $0.real(2),
                hash: $0.isNull(3) ? nil : try $0.text(3),
                remoteID: $0.isNull(4) ? nil : try $0.text(4))
        }
    }
}
