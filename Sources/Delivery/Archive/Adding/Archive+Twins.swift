extension Archive {
    /// The oldest other document that shows the same pictures, page by page, as when something is
    /// imported twice.
    ///
    /// Pictures are compared by their hashes. What is in the trash does not count.
    ///
    /// - Returns: nil when there is none.
    /// - Throws: ``ArchiveError``.
    public func twin(of document: DocumentID) throws(ArchiveError) -> DocumentID? {
        do {
            return try access { database in
                try database.first(
                    """
                    SELECT other.id FROM leaf JOIN page ON page.id = leaf.page
                    JOIN page alike ON alike.image = page.image
                    JOIN leaf start ON start.page = alike.id AND start.position = 0
                    JOIN document other ON other.id = start.document
                    JOIN document mine ON mine.id = leaf.document
                    WHERE leaf.document = ?1 AND leaf.position = 0 AND other.id <> ?1
                    AND other.trashed IS NULL AND other.pages = mine.pages
                    AND NOT EXISTS (
                        SELECT 1 FROM leaf here JOIN page shown ON shown.id = here.page
                        LEFT JOIN leaf there
                        ON there.document = other.id AND there.position = here.position
                        LEFT JOIN page seen ON seen.id = there.page
                        WHERE here.document = ?1 AND seen.image IS NOT shown.image)
                    ORDER BY other.id LIMIT 1
                    """, [.integer(document.rawValue)]
                ) { DocumentID(rawValue: try $0.integer(0)) }
            }
        } catch { throw .wrapping(error, path: folder) }
    }
}
