import Documents

// What a user may see is decided here: by lists and searches with `ownName`, and for a document by
// its id with `expectVisible`, which everything that loads a document calls.
extension ArchiveDatabase {
    /// The name of a user who sees only their own documents, for statements that leave out those of
    /// others; null for a user who sees all.
    var ownName: SQLValue { .text(ownerFilter) }

    /// The only owner, besides none, whose documents the user sees; nil for every owner.
    var ownerFilter: String? { user.sees == .all ? nil : user.name ?? "" }

    /// Refuses a document that the user may not see, as if it did not exist.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`.
    func expectVisible(_ document: Int64) throws {
        guard user.sees == .own else { return }
        let isVisible = try first(
            "SELECT 1 FROM document WHERE id = ?1 AND (owner IS NULL OR owner = ?2)",
            [.integer(document), ownName]
        ) { try $0.integer(0) }
        guard isVisible != nil else { throw ArchiveError.noDocument(document) }
    }
}

extension ArchiveError {
    /// The error for a document that does not exist, or that the user may not see.
    static func noDocument(_ document: Int64) -> ArchiveError {
        ArchiveError(
            .noSuchDocument,
            "There is no document \(document) in the archive. 'copystand list' shows them all.")
    }
}
