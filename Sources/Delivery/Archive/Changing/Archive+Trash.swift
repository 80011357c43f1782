extension Archive {
    /// Puts a document into the trash: it is no longer listed or found, and can be restored.
    ///
    /// - Parameter seen: The versions of the document to which it applies; nil for any.
    /// - Throws: ``ArchiveError``: `noSuchDocument`, `changedMeanwhile`.
    public func trash(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) {
        try freeing(isFinal: false) { () throws(ArchiveError) in
            try setTrashed(id, true, seen)
        }
    }

    /// Takes a document out of the trash.
    ///
    /// - Parameter seen: The versions of the document to which it applies; nil for any.
    /// - Throws: ``ArchiveError``: `noSuchDocument`, `changedMeanwhile`.
    public func restore(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) {
        try setTrashed(id, false, seen)
    }

    private func setTrashed(
        _ id: DocumentID, _ isTrashed: Bool, _ seen: Set<DocumentVersion>?
    ) throws(ArchiveError) {
        try access { database in
            try database.write {
                let document = try database.seeHeld(id)
                _ = try Self.summary(document, database)
                try Self.expect(seen, document, database)
                try Self.setTrashed(document, isTrashed, database)
            }
        }
    }

    /// Deletes the documents in the trash for good, of those that the user sees; their images are
    /// removed by the next ``compact()``, or at once if the disk is full.
    ///
    /// Pages that another document's history may still need are kept.
    ///
    /// - Returns: The documents that were deleted.
    /// - Throws: ``ArchiveError``.
    public func emptyTrash() throws(ArchiveError) -> [DocumentID] {
        do {
            return try freeing { () throws(ArchiveError) in
                try access { database in
                    try database.write {
                        let gone = try trashed(database)
                        try Self.delete(gone, database)
                        return gone.map(\.id)
                    }
                }
            }
        } catch {
            guard error.code == .noSpace else { throw error }
            // One after the other they need less room, and each makes some for the next.
            let gone = try access { try trashed($0).map(\.id) }
            for id in gone { try delete(id) }
            return gone
        }
    }

    private func trashed(_ database: any ArchiveDatabase) throws -> [SeenDocument] {
        try database.all(Self.trashedDocuments, [database.ownName]) {
            try database.seen(in: $0, owner: 1)
        }.compactMap { $0 }
    }

    /// Deletes a document in the trash for good, as ``emptyTrash()`` does with all of them.
    ///
    /// - Parameter seen: The versions of the document to which it applies; nil for any.
    /// - Throws: ``ArchiveError``: `noSuchDocument`, `changedMeanwhile`; `refused` when it is not
    ///   in the trash.
    public func delete(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) {
        try freeing { () throws(ArchiveError) in
            try access { database in
                try database.write {
                    let document = try database.seeHeld(id)
                    try Self.expect(seen, document, database)
                    guard try Self.summary(document, database).trashed != nil else {
                        throw ArchiveError(
                            .refused,
                            "Document \(id.rawValue) is not in the trash. Put it there first.")
                    }
                    try Self.delete([document], database)
                }
            }
        }
    }

    private static let trashedDocuments = SQLText(
        sqlite: """
            SELECT id, owner FROM document WHERE trashed IS NOT NULL
                AND (?1 IS NULL OR owner IS NULL OR owner = ?1) ORDER BY id
            """,
        postgresql: """
            SELECT id, owner FROM document WHERE trashed IS NOT NULL
                AND (?1 IS NULL OR owner IS NULL OR owner = ?1) ORDER BY id FOR UPDATE
            """)

    /// Deletes documents, with those of their pages that no other document holds or may need for
    /// its history.
    private static func delete(
        _ documents: [SeenDocument], _ database: any ArchiveDatabase
    ) throws {
        try AuditTable(database).add(.deleted, to: documents)
        let list = SQLValue.text(numberList(documents.map(\.id.rawValue)))
        let pages = try database.all(
            SQLText(
                sqlite: """
                    SELECT DISTINCT page FROM holding
                    WHERE document IN (SELECT value FROM json_each(?))
                    """,
                postgresql: """
                    SELECT DISTINCT page FROM holding WHERE document IN (
                        SELECT value::bigint FROM jsonb_array_elements_text(?::jsonb))
                    """), [list]
        ) { try $0.integer(0) }
        try database.run(
            SQLText(
                sqlite: "DELETE FROM document WHERE id IN (SELECT value FROM json_each(?))",
                postgresql: """
                    DELETE FROM document WHERE id IN (
                        SELECT value::bigint FROM jsonb_array_elements_text(?::jsonb))
                    """), [list])
        try database.run(
            SQLText(
                sqlite: """
                    DELETE FROM page WHERE id IN (SELECT value FROM json_each(?))
                        AND NOT EXISTS (SELECT 1 FROM holding WHERE holding.page = page.id)
                        AND NOT EXISTS (SELECT 1 FROM leaf WHERE leaf.page = page.id)
                    """,
                postgresql: """
                    DELETE FROM page WHERE id IN (
                        SELECT value::bigint FROM jsonb_array_elements_text(?::jsonb))
                        AND NOT EXISTS (SELECT 1 FROM holding WHERE holding.page = page.id)
                        AND NOT EXISTS (SELECT 1 FROM leaf WHERE leaf.page = page.id)
                    """), [.text(numberList(pages))])
    }

    static func setTrashed(
        _ document: SeenDocument, _ isTrashed: Bool, _ database: any ArchiveDatabase
    ) throws {
        try database.run(
            "UPDATE document SET trashed = ?1 WHERE id = ?2 AND (trashed IS NULL) = (?1 IS NOT NULL)",
            [isTrashed ? .real(secondsNow()) : .null(.real), document.value])
        if database.changes > 0 {
            try AuditTable(database).add(isTrashed ? .trashed : .restored, to: [document])
        }
        try LeafWriter(database, document: document, isIndexed: !isTrashed)
            .setIndexed(!isTrashed)
    }
}
