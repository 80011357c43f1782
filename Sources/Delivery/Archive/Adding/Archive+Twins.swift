extension Archive {
    /// The oldest other visible document with the same pages, as when something is imported
    /// twice.
    ///
    /// Pictures are compared by their hashes. Pages of kept PDFs are also compared by the hashes of
    /// the files, since pictures differ when they were processed in different ways. Documents in
    /// the trash do not count.
    ///
    /// - Returns: nil when there is none.
    /// - Throws: ``ArchiveError`` `noSuchDocument` for one that the user does not see.
    public func twin(of document: DocumentID) throws(ArchiveError) -> DocumentID? {
        do {
            return try access { database in
                try database.read {
                    let values = [try database.see(document).value, database.ownName]
                    return try database.first(Self.samePictures, values) {
                        DocumentID(rawValue: try $0.integer(0))
                    }
                        ?? database.first(Self.sameFiles, values) {
                            DocumentID(rawValue: try $0.integer(0))
                        }
                }
            }
        } catch { throw .wrapping(error, path: place) }
    }

    private static let samePictures: SQLText = """
        SELECT other.id FROM leaf JOIN page ON page.id = leaf.page
        JOIN page alike ON alike.image = page.image
        JOIN leaf start ON start.page = alike.id AND start.position = 0
        JOIN document other ON other.id = start.document
        JOIN document mine ON mine.id = leaf.document
        WHERE leaf.document = ?1 AND leaf.position = 0 AND other.id <> ?1
        AND other.trashed IS NULL AND other.pages = mine.pages
        AND (?2 IS NULL OR other.owner IS NULL OR other.owner = ?2)
        AND NOT EXISTS (
            SELECT 1 FROM leaf here JOIN page shown ON shown.id = here.page
            LEFT JOIN leaf there
            ON there.document = other.id AND there.position = here.position
            LEFT JOIN page seen ON seen.id = there.page
            WHERE here.document = ?1 AND seen.image IS DISTINCT FROM shown.image)
        ORDER BY other.id LIMIT 1
        """

    private static let sameFiles: SQLText = """
        SELECT other.id FROM leaf JOIN origin ON origin.page = leaf.page
        JOIN origin alike ON alike.file = origin.file AND alike.number = origin.number
        JOIN leaf start ON start.page = alike.page AND start.position = 0
        JOIN document other ON other.id = start.document
        JOIN document mine ON mine.id = leaf.document
        WHERE leaf.document = ?1 AND leaf.position = 0 AND other.id <> ?1
        AND other.trashed IS NULL AND other.pages = mine.pages
        AND (?2 IS NULL OR other.owner IS NULL OR other.owner = ?2)
        AND NOT EXISTS (
            SELECT 1 FROM leaf here LEFT JOIN origin shown ON shown.page = here.page
            LEFT JOIN leaf there
            ON there.document = other.id AND there.position = here.position
            LEFT JOIN origin seen ON seen.page = there.page
            WHERE here.document = ?1 AND (shown.file IS NULL OR seen.file IS DISTINCT FROM shown.file
            OR seen.number IS DISTINCT FROM shown.number OR seen.area IS DISTINCT FROM shown.area))
        ORDER BY other.id LIMIT 1
        """
}
