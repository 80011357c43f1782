public import Documents

/// A document as lists show it.
public struct DocumentSummary: Hashable, Sendable {
    /// Its id.
    public let id: DocumentID
    /// Its title.
    public let title: String
    /// The document's type.
    public let type: DocumentType
    /// The time of its scan, as seconds since 1970-01-01T00:00:00Z.
    public let created: Double
    /// The time when the document was added to the archive.
    public let added: Double
    /// The time of its last change.
    public let changed: Double
    /// The time when the document was put into the trash; nil when it is not there.
    public let trashed: Double?
    /// True when the document was reviewed.
    public let isSaved: Bool
    /// The number of pages.
    public let pages: Int
    /// Its language, as a BCP 47 tag, where known.
    public let language: String?
    /// Its tags.
    public let tags: [String]
    /// The name of its owner; nil for a document of everyone.
    public let owner: String?
}

/// The order of a list of documents.
public enum DocumentOrder: String, CaseIterable, Sendable {
    /// The latest scanned first.
    case newest
    /// The first scanned first.
    case oldest
    /// The latest changed first.
    case changed
    /// Documents by title, without regard to case.
    case title
    /// Documents with the most pages first.
    case pages
}

/// The documents that a list contains, and their order.
public struct DocumentFilter: Hashable, Sendable {
    /// The type of the listed documents.
    public var type: DocumentType?
    /// The tags that every listed document has.
    public var tags: [String]
    /// The fields that every listed document has.
    public var fields: [FieldFilter]
    /// The earliest time of a scan, as seconds since 1970-01-01T00:00:00Z.
    public var since: Double?
    /// The time before which documents were scanned.
    public var before: Double?
    /// True for what is in the trash, false for what is not.
    public var isTrash: Bool
    /// The maximum number of documents to list.
    public var limit: Int
    /// The order.
    public var order: DocumentOrder

    /// A filter for all documents outside the trash, the latest scanned first, except as specified.
    public init(
        type: DocumentType? = nil, tags: [String] = [], fields: [FieldFilter] = [],
        since: Double? = nil, before: Double? = nil, isTrash: Bool = false, limit: Int = .max,
        order: DocumentOrder = .newest
    ) {
        self.order = order
        self.type = type
        self.tags = tags
        self.fields = fields
        self.since = since
        self.before = before
        self.isTrash = isTrash
        self.limit = limit
    }
}

extension Archive {
    /// The documents that a filter leaves, in its order.
    ///
    /// - Throws: ``ArchiveError``.
    public func documents(
        _ filter: DocumentFilter = DocumentFilter()
    ) throws(ArchiveError) -> [DocumentSummary] {
        try documentList(filter).documents
    }

    /// The documents that a filter leaves, in its order, and their number without its limit,
    /// which is at least 1.
    ///
    /// - Throws: ``ArchiveError``.
    public func documentList(
        _ filter: DocumentFilter
    ) throws(ArchiveError) -> (documents: [DocumentSummary], total: Int) {
        try access { database in
            try database.read {
                var total = 0
                let documents = try database.all(
                    Self.listing,
                    [
                        .integer(filter.isTrash ? 1 : 0), .text(filter.type?.rawValue),
                        .real(filter.since), .real(filter.before),
                        .text(
                            try wantedList(
                                tags: filter.tags, fields: filter.fields,
                                for: database is PostgreSQLDatabase ? .postgreSQL : .sqlite)),
                        .integer(filter.limit),
                        .text(filter.order.rawValue), database.ownName,
                    ]
                ) { row in
                    total = try row.int(11)
                    return try Self.summary(row, database)
                }
                return (documents, total)
            }
        }
    }

    private static let listing = SQLText(
        sqlite: """
            SELECT id, title, type, created, added, changed, trashed, saved, pages, \
            language, owner, count(*) OVER () FROM document
            WHERE (trashed IS NOT NULL) = ?1 AND (?2 IS NULL OR type = ?2) AND (?3 IS NULL \
            OR created >= ?3)
                AND (?4 IS NULL OR created < ?4)
                AND has_all(document.id, ?5)
                AND (?8 IS NULL OR owner IS NULL OR owner = ?8)
            ORDER BY CASE ?7 WHEN 'oldest' THEN created WHEN 'changed' THEN -changed
                WHEN 'title' THEN title WHEN 'pages' THEN -pages END COLLATE NOCASE,
                created DESC, id DESC LIMIT ?6
            """,
        postgresql: """
            SELECT id, title, type, created, added, changed, trashed, saved, pages, \
            language, owner, count(*) OVER () FROM document
            WHERE (trashed IS NOT NULL) = (?1 = 1) AND (?2 IS NULL OR type = ?2)
                AND (?3 IS NULL OR created >= ?3) AND (?4 IS NULL OR created < ?4)
                AND finds_all(id, ?5::jsonb) AND (?8 IS NULL OR owner IS NULL OR owner = ?8)
            ORDER BY CASE ?7 WHEN 'oldest' THEN created WHEN 'changed' THEN -changed
                    WHEN 'pages' THEN -pages END,
                CASE ?7 WHEN 'title' THEN lower(title) END, created DESC, id DESC LIMIT ?6
            """)

    /// One document's summary, whether in the trash or not.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`.
    public func summary(_ id: DocumentID) throws(ArchiveError) -> DocumentSummary {
        try access { database in
            try database.read { try Self.summary(database.see(id), database) }
        }
    }

    /// The tags that documents have, of those that the user sees, the most frequent first.
    ///
    /// - Parameter limit: The maximum number of documents to list.
    /// - Throws: ``ArchiveError``.
    public func tags(limit: Int = .max) throws(ArchiveError) -> [(name: String, documents: Int)] {
        try access { database in
            try database.all(
                """
                SELECT tag.name, count(*) FROM tag JOIN document ON document.id = tag.document
                WHERE document.trashed IS NULL
                    AND (?2 IS NULL OR document.owner IS NULL OR document.owner = ?2)
                GROUP BY tag.name ORDER BY count(*) DESC, tag.name LIMIT ?1
                """, [.integer(limit), database.ownName]
            ) { (name: try $0.text(0), documents: try $0.int(1)) }
        }
    }

    /// The fields that documents or their entries have, of those that the user sees, the most
    /// frequent first.
    ///
    /// - Parameter limit: The maximum number of fields to list.
    /// - Throws: ``ArchiveError``.
    public func fields(
        limit: Int = .max
    ) throws(ArchiveError) -> [(name: String, documents: Int)] {
        try access { database in
            try database.all(
                """
                SELECT field.name, count(DISTINCT field.document) FROM field
                JOIN document ON document.id = field.document
                WHERE document.trashed IS NULL
                    AND (?2 IS NULL OR document.owner IS NULL OR document.owner = ?2)
                GROUP BY field.name
                ORDER BY count(DISTINCT field.document) DESC, field.name LIMIT ?1
                """, [.integer(limit), database.ownName]
            ) { (name: try $0.text(0), documents: try $0.int(1)) }
        }
    }

    static func summary(
        _ document: SeenDocument, _ database: any ArchiveDatabase
    ) throws -> DocumentSummary {
        let found = try database.first(
            """
            SELECT id, title, type, created, added, changed, trashed, saved, pages, language, \
            owner FROM document WHERE id = ?
            """, [document.value]
        ) { try summary($0, database) }
        guard let found else { throw ArchiveError.noDocument(document.id.rawValue) }
        return found
    }

    private static func summary(_ row: Row, _ database: any ArchiveDatabase) throws
        -> DocumentSummary
    {
        guard let document = try database.seen(in: row, owner: 10) else {
            throw ArchiveError.noDocument(try row.integer(0))
        }
        return DocumentSummary(
            id: document.id, title: try row.text(1),
            // A type from a later version is shown as unsorted.
            type: DocumentType(rawValue: try row.text(2)) ?? .other, created: try row.real(3),
            added: try row.real(4), changed: try row.real(5),
            trashed: row.isNull(6) ? nil : try row.real(6), isSaved: try row.integer(7) != 0,
            pages: try row.int(8), language: row.isNull(9) ? nil : try row.text(9),
            tags: try database.all(
                "SELECT name FROM tag WHERE document = ? ORDER BY position", [document.value]
            ) { try $0.text(0) }, owner: try row.optional(10) { try row.text($0) })
    }
}
