import Documents

extension Archive {
    /// The entries of the archive's history, the newest first.
    ///
    /// A user who sees all documents also gets the entries of deleted ones.
    ///
    /// - Parameters:
    ///   - document: the document that they are about; nil for all, which only a user gets who sees
    ///     all documents.
    ///   - before: the entry before which they were made; nil for the newest.
    ///   - limit: the maximum number of entries.
    /// - Throws: ``ArchiveError``: `noSuchDocument`; `refused` for a user who sees only their own
    ///   documents.
    public func history(
        of document: DocumentID? = nil, before: Int64? = nil, limit: Int = .max
    ) throws(ArchiveError) -> [AuditEntry] {
        try access { database in
            try database.read {
                let table = AuditTable(database)
                guard let document else {
                    guard database.user.sees == .all else { throw Self.onlyForAll }
                    return try table.entries(of: nil, before: before, limit: limit)
                }
                let seen = try database.see(document)
                let entries = try table.entries(of: seen, before: before, limit: limit)
                // A document of an older version has no entry yet.
                if entries.isEmpty, before == nil {
                    _ = try Self.summary(seen, database)
                }
                return entries
            }
        }
    }

    /// The error for a user who sees only their own documents.
    static var onlyForAll: ArchiveError {
        ArchiveError(
            .refused,
            "This is only for those who see every document. Ask someone with such a token.")
    }
}

extension Archive {
    /// Refuses work on the archive as a whole for a user who sees only their own documents.
    ///
    /// - Throws: ``ArchiveError`` `refused`.
    func expectWholeSight() throws(ArchiveError) {
        guard user.sees == .all else { throw Self.onlyForAll }
    }
}
