extension ArchivedDocument {
    /// The document's state.
    public var version: DocumentVersion {
        DocumentVersion(changed: summary.changed, trashed: summary.trashed, done: done)
    }
}

extension Archive {
    /// The state that a document is in.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`.
    public func version(of id: DocumentID) throws(ArchiveError) -> DocumentVersion {
        try access { database in
            try database.read { try Self.version(of: database.see(id), database) }
        }
    }

    private static func version(
        of document: SeenDocument, _ database: any ArchiveDatabase
    ) throws -> DocumentVersion {
        let summary = try summary(document, database)
        let done = try database.first(
            "SELECT done FROM document WHERE id = ?", [document.value]
        ) { try $0.int(0) }
        return DocumentVersion(
            changed: summary.changed, trashed: summary.trashed, done: done ?? 0)
    }

    /// Checks, inside the transaction of a change, that a document has not changed since it was
    /// seen.
    ///
    /// - Parameter seen: The versions to which the change applies; nil for any.
    /// - Throws: ``ArchiveError``: `changedMeanwhile`, `noSuchDocument`.
    static func expect(
        _ seen: Set<DocumentVersion>?, _ document: SeenDocument, _ database: any ArchiveDatabase
    ) throws {
        guard let seen, try !seen.contains(version(of: document, database)) else { return }
        throw ArchiveError(
            .changedMeanwhile,
            "Document \(document.id) was changed meanwhile, so nothing was done to it. Look at it as it is now, and try again."
        )
    }
}

extension Archive {
    /// The archive's version now.
    ///
    /// - Throws: ``ArchiveError``.
    public func stamp() throws(ArchiveError) -> ArchiveStamp {
        try access { try $0.stamp() }
    }
}
