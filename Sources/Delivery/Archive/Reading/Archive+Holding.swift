import Glibc

extension Archive {
    /// Whether the document that a job delivered last is there with the picture of every page, in
    /// the trash or not.
    ///
    /// - Throws: ``ArchiveError``.
    public func holds(documentOf job: String) throws(ArchiveError) -> Bool {
        let known: Int64?
        do {
            known = try access { database in
                try database.read { try JobTable(database).latest(of: job) }
            }
        } catch { throw .wrapping(error, path: folder) }
        guard let known else { return false }
        return try document(DocumentID(rawValue: known), withText: false).pages.allSatisfy {
            Glibc.access(images.path(of: $0.image), F_OK) == 0
        }
    }
}
