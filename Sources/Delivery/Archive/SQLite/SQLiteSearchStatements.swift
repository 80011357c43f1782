/// The statements of a search; numbered parameters stand for the filter, if any.
///
/// A filter that leaves few documents is "narrow": the list of their pages is made first, and
/// compared with the matches. With a wide one, the documents of the matches are examined one by one
/// until enough are found. Wanted tags and fields are a list, see ``SQLiteMacro``.
extension SQLiteSearch {
    static let countMatches: SQLText =
        "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)"
    static let newest: SQLText =
        "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ? OFFSET ?"
    static let ranked: SQLText =
        "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rank LIMIT ? OFFSET ?"
    static let marked: SQLText = """
        SELECT rowid, highlight(search, 0, char(1), char(2)), highlight(search, 1, char(1), \
        char(2)),
            highlight(search, 2, char(1), char(2))
        FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?2 AND ?3
            AND +rowid IN (SELECT value FROM json_each(?4))
        """
    static let countFilteredMatches: SQLText = """
        SELECT count(*) FROM (
            SELECT 1 FROM search CROSS JOIN leaf ON leaf.id = search.rowid
                CROSS JOIN document ON document.id = leaf.document
            WHERE search MATCH ?1 AND (?2 IS NULL OR document.type = ?2)
                AND (?3 IS NULL OR document.created >= ?3) AND (?4 IS NULL OR document.created < ?4)
                AND has_all(document.id, ?5)
                AND (?6 IS NULL OR document.owner IS NULL OR document.owner = ?6)
            LIMIT ?7)
        """
    static let newestFiltered: SQLText = """
        SELECT search.rowid FROM search CROSS JOIN leaf ON leaf.id = search.rowid
            CROSS JOIN document ON document.id = leaf.document
        WHERE search MATCH ?1 AND (?2 IS NULL OR document.type = ?2)
            AND (?3 IS NULL OR document.created >= ?3) AND (?4 IS NULL OR document.created < ?4)
            AND has_all(document.id, ?5)
            AND (?6 IS NULL OR document.owner IS NULL OR document.owner = ?6)
        ORDER BY search.rowid DESC LIMIT ?7 OFFSET ?8
        """
    static let rankedFiltered: SQLText = """
        SELECT search.rowid FROM search CROSS JOIN leaf ON leaf.id = search.rowid
            CROSS JOIN document ON document.id = leaf.document
        WHERE search MATCH ?1 AND (?2 IS NULL OR document.type = ?2)
            AND (?3 IS NULL OR document.created >= ?3) AND (?4 IS NULL OR document.created < ?4)
            AND has_all(document.id, ?5)
            AND (?6 IS NULL OR document.owner IS NULL OR document.owner = ?6)
        ORDER BY search.rank LIMIT ?7 OFFSET ?8
        """
    static let rankedByRareWords: SQLText = """
        SELECT search.rowid FROM search CROSS JOIN leaf ON leaf.id = search.rowid
            CROSS JOIN document ON document.id = leaf.document
        WHERE search MATCH ?1 AND +search.rowid IN (SELECT rowid FROM search WHERE search MATCH ?2)
            AND (?3 IS NULL OR document.type = ?3)
            AND (?4 IS NULL OR document.created >= ?4) AND (?5 IS NULL OR document.created < ?5)
            AND has_all(document.id, ?6)
            AND (?7 IS NULL OR document.owner IS NULL OR document.owner = ?7)
        ORDER BY search.rank LIMIT ?8 OFFSET ?9
        """
    static let filteredOnly: SQLText = """
        SELECT leaf.id FROM document JOIN leaf ON leaf.document = document.id AND leaf.position = 0
        WHERE document.trashed IS NULL AND (?1 IS NULL OR document.type = ?1)
            AND (?2 IS NULL OR document.created >= ?2) AND (?3 IS NULL OR document.created < ?3)
            AND has_all(document.id, ?4)
            AND (?5 IS NULL OR document.owner IS NULL OR document.owner = ?5)
        ORDER BY leaf.id DESC LIMIT ?6 OFFSET ?7
        """
    static let countFilteredOnly: SQLText = """
        SELECT count(*) FROM document
        WHERE document.trashed IS NULL AND (?1 IS NULL OR document.type = ?1)
            AND (?2 IS NULL OR document.created >= ?2) AND (?3 IS NULL OR document.created < ?3)
            AND has_all(document.id, ?4)
            AND (?5 IS NULL OR document.owner IS NULL OR document.owner = ?5)
        """
    static let filteredPages: SQLText = """
        SELECT leaf.id FROM document CROSS JOIN leaf ON leaf.document = document.id
        WHERE (?1 IS NULL OR document.type = ?1)
            AND (?2 IS NULL OR document.created >= ?2) AND (?3 IS NULL OR document.created < ?3)
            AND has_all(document.id, ?4)
            AND (?5 IS NULL OR document.owner IS NULL OR document.owner = ?5)
        LIMIT ?6
        """
    static let matchesBetween: SQLText =
        "SELECT rowid FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid"
    static let rankedAmong: SQLText = """
        SELECT rowid FROM search WHERE search MATCH ?1 AND +rowid IN (SELECT value FROM \
        json_each(?2))
        ORDER BY rank LIMIT ?3 OFFSET ?4
        """
}
