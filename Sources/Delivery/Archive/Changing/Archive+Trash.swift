extension Archive {
    /// Puts a document into the trash: it is no longer listed or found, and can be restored.
    ///
    /// - Parameter seen: The versions of the document to which it applies; nil for any.
    /// - Throws: ``ArchiveError``: `noSuchDocument`, `changedMeanwhile`.
    public func trash(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) {
        try access { database in
            try database.write {
                _ = try Self.summary(id.rawValue, database)
                try Self.expect(seen, id.rawValue, database)
                try Self.setTrashed(id.rawValue, true, database)
            }
        }
    }

    /// Takes a document out of the trash.
    ///
    /// - Parameter seen: The versions of the document to which it applies; nil for any.
    /// - Throws: ``ArchiveError``: `noSuchDocument`, `changedMeanwhile`.
    public func restore(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) {
        try access { database in
            try database.write {
                _ = try Self.summary(id.rawValue, database)
                try Self.expect(seen, id.rawValue, database)
                try Self.setTrashed(id.rawValue, false, database)
            }
        }
    }

    /// Deletes the documents in the trash for good; their images are removed by the next
    /// ``compact()``.
    ///
    /// Pages that another document's history may still need are kept.
    ///
    /// - Returns: The documents that were deleted.
    /// - Throws: ``ArchiveError``.
    public func emptyTrash() throws(ArchiveError) -> [DocumentID] {
        try access { database in
            try database.write {
                let gone = try database.all(
                    "SELECT id FROM document WHERE trashed IS NOT NULL ORDER BY id"
                ) { DocumentID(rawValue: try $0.integer(0)) }
                try database.run("DELETE FROM document WHERE trashed IS NOT NULL")
                try Self.deleteUnusedPages(database)
                return gone
            }
        }
    }

    /// Deletes a document in the trash for good, as ``emptyTrash()`` does with all of them.
    ///
    /// - Parameter seen: The versions of the document to which it applies; nil for any.
    /// - Throws: ``ArchiveError``: `noSuchDocument`, `changedMeanwhile`; `refused` when it is not
    ///   in the trash.
    public func delete(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) {
        try access { database in
            try database.write {
                try Self.expect(seen, id.rawValue, database)
                guard try Self.summary(id.rawValue, database).trashed != nil else {
                    throw ArchiveError(
                        .refused,
                        "Document \(id.rawValue) is not in the trash. Put it there first.")
                }
                try database.run("DELETE FROM document WHERE id = ?", [.integer(id.rawValue)])
                try Self.deleteUnusedPages(database)
            }
        }
    }

    /// Deletes the pages that no document holds, and no document's history may still need.
    private static func deleteUnusedPages(_ database: Connection) throws {
        try database.run(
            """
            DELETE FROM page WHERE NOT EXISTS (SELECT 1 FROM holding WHERE holding.page = page.id)
                AND NOT EXISTS (SELECT 1 FROM leaf WHERE leaf.page = page.id)
            """)
    }

    static func setTrashed(_ document: Int64, _ isTrashed: Bool, _ database: Connection) throws {
        try database.run(
            "UPDATE document SET trashed = ?1 WHERE id = ?2 AND (trashed IS NULL) = (?1 IS NOT NULL)",
            [isTrashed ? .real(secondsNow()) : .null, .integer(document)])
        try LeafWriter(database, document: document, isIndexed: !isTrashed)
            .setIndexed(!isTrashed)
    }
}
