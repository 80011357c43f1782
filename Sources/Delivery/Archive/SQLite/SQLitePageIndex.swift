/// The FTS5 index, which keeps no text of its own.
///
/// Rows are written here, not by triggers, since the trash, too, makes and removes index rows.
struct SQLitePageIndex: PageIndex {
    private let database: Connection

    init(_ database: Connection) { self.database = database }

    func insert(_ leaf: Leaf, isIndexed: Bool) throws {
        let id = try database.insert(
            """
            INSERT INTO leaf (document, position, page, body, broken, about, frame, corrected, \
            indexed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)
            """,
            [
                leaf.document.value, .integer(leaf.position), .integer(leaf.page),
                .text(leaf.text.body), .text(leaf.text.broken), .text(leaf.text.about),
                .text(leaf.frame), .integer(leaf.isCorrected ? 1 : 0),
            ])
        if isIndexed { try setIndexed(id, true) }
    }

    func rewrite(_ id: Int64, as leaf: Leaf, wasIndexed: Bool, isIndexed: Bool) throws {
        if wasIndexed { try setIndexed(id, false) }
        try database.run(
            "UPDATE leaf SET body = ?, broken = ?, about = ?, frame = ?, corrected = ? WHERE id = ?",
            [
                .text(leaf.text.body), .text(leaf.text.broken), .text(leaf.text.about),
                .text(leaf.frame), .integer(leaf.isCorrected ? 1 : 0), .integer(id),
            ])
        if isIndexed { try setIndexed(id, true) }
    }

    func remove(_ id: Int64, wasIndexed: Bool) throws {
        if wasIndexed { try setIndexed(id, false) }
        try database.run("DELETE FROM leaf WHERE id = ?", [.integer(id)])
    }

    func setIndexed(_ id: Int64, _ isIndexed: Bool) throws {
        if isIndexed {
            try database.run(
                """
                INSERT INTO search (rowid, body, broken, about)
                SELECT id, body, broken, about FROM leaf WHERE id = ?
                """, [.integer(id)])
            try database.run("UPDATE leaf SET indexed = 1 WHERE id = ?", [.integer(id)])
        } else {
            // FTS5 needs the old text in order to remove it.
            try database.run(
                """
                INSERT INTO search (search, rowid, body, broken, about)
                SELECT 'delete', id, body, broken, about FROM leaf WHERE id = ?
                """, [.integer(id)])
            try database.run("UPDATE leaf SET indexed = 0 WHERE id = ?", [.integer(id)])
        }
    }

    func similar(
        to words: [String], besides document: SeenDocument, limit: Int
    ) throws -> [(document: Int64, weight: Double)] {
        try database.all(
            """
            SELECT leaf.document, -min(found.rank) FROM (
                SELECT rowid, rank FROM search WHERE search MATCH ?1 ORDER BY rank
                LIMIT iif(?4 IS NULL, 100, 10000)
            ) AS found JOIN leaf ON leaf.id = found.rowid
            JOIN document ON document.id = leaf.document
            WHERE leaf.document <> ?2
                AND (?4 IS NULL OR document.owner IS NULL OR document.owner = ?4)
            GROUP BY leaf.document ORDER BY 2 DESC LIMIT ?3
            """,
            [
                .text(words.map { "\"\($0)\"" }.joined(separator: " OR ")), document.value,
                .integer(limit), database.ownName,
            ]
        ) { (document: try $0.integer(0), weight: try $0.real(1)) }
    }

    func search(
        _ query: SearchQuery, limit: Int, offset: Int, ranking most: Int
    ) throws -> FoundLeaves {
        try SQLiteSearch(query, most, database).run(limit: limit, offset: offset)
    }
}
