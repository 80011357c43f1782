import Documents

/// The history of all documents, as the table `audit` holds it.
///
/// Each entry is added in the transaction that it describes, by the connection's user.
struct AuditTable {
    private let database: any ArchiveDatabase

    init(_ database: any ArchiveDatabase) { self.database = database }

    /// Adds an entry for each of the documents, which must still exist.
    ///
    /// The entry of a deletion keeps the owner's name as its detail, empty for everyone.
    ///
    /// - Parameter detail: the changed parts, separated by commas, or the sink.
    func add(_ action: AuditAction, _ detail: String? = nil, to documents: [SeenDocument]) throws {
        let entry: [SQLValue] = [
            .text(database.user.name), .text(database.user.station), .text(action.rawValue),
            .text(detail),
        ]
        if documents.count == 1 {
            return try database.run(
                """
                INSERT INTO audit (name, station, action, detail, document, title)
                SELECT ?1, ?2, ?3, CASE ?3 WHEN 'deleted' THEN coalesce(owner, '') ELSE ?4 END, \
                id, title FROM document WHERE id = ?5
                """, entry + [documents[0].value])
        }
        guard !documents.isEmpty else { return }
        try database.run(
            SQLText(
                sqlite: """
                    INSERT INTO audit (name, station, action, detail, document, title)
                    SELECT ?1, ?2, ?3, CASE ?3 WHEN 'deleted' THEN coalesce(owner, '') ELSE ?4 \
                    END, id, title FROM document
                    WHERE id IN (SELECT value FROM json_each(?5)) ORDER BY id
                    """,
                postgresql: """
                    INSERT INTO audit (name, station, action, detail, document, title)
                    SELECT ?1, ?2, ?3, CASE ?3 WHEN 'deleted' THEN coalesce(owner, '') ELSE ?4 \
                    END, id, title FROM document WHERE id IN (
                        SELECT value::bigint FROM jsonb_array_elements_text(?5::jsonb)) ORDER BY id
                    """),
            entry + [.text(numberList(documents.map(\.id.rawValue)))])
    }

    /// Adds an entry for changes of a document; none for a mere selection.
    func add(_ actions: [ReviewAction], to document: SeenDocument) throws {
        var parts: [String] = []
        for part in actions.compactMap(\.changedPart) where !parts.contains(part) {
            parts.append(part)
        }
        guard !parts.isEmpty else { return }
        try add(.changed, parts.joined(separator: ","), to: [document])
    }

    /// Entries before one, the newest first.
    ///
    /// - Parameter document: the document that they are about; nil for all.
    func entries(of document: SeenDocument?, before: Int64?, limit: Int) throws -> [AuditEntry] {
        let rest: [SQLValue] = [.integer(before ?? .max), .integer(limit)]
        if let document {
            return try database.all(Self.ofDocument, [document.value] + rest, Self.entry)
        }
        return try database.all(Self.ofAll, rest, Self.entry)
    }

    private static let ofAll: SQLText = """
        SELECT id, made, name, station, action, detail, document, title FROM audit
        WHERE id < ?1 ORDER BY id DESC LIMIT ?2
        """

    private static let ofDocument: SQLText = """
        SELECT id, made, name, station, action, detail, document, title FROM audit
        WHERE document = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3
        """

    private static func entry(_ row: Row) throws -> AuditEntry {
        // An action of a later version is shown as a change.
        let action = AuditAction(rawValue: try row.text(4)) ?? .changed
        let detail = try row.optional(5) { try row.text($0) }
        return AuditEntry(
            id: try row.integer(0), made: try row.real(1),
            name: try row.optional(2) { try row.text($0) }, station: try row.text(3),
            action: action,
            changes: action == .changed
                ? (detail ?? "").split(separator: ",").map(String.init) : [],
            sink: action == .sent ? detail : nil,
            document: DocumentID(rawValue: try row.integer(6)), title: try row.text(7))
    }
}
