import Documents

extension Archive {
    /// Gives a document to another owner, inside a transaction; this can't be undone.
    ///
    /// - Parameter owner: the owner's name; empty for a document of everyone.
    /// - Throws: ``ArchiveError`` `refused` for a name that can't be one, and for a user who sees
    ///   only their own documents.
    static func setOwner(
        _ owner: String, of document: SeenDocument, _ database: any ArchiveDatabase
    ) throws {
        guard database.user.sees == .all else { throw onlyForAll }
        let isName =
            owner.count <= 60
            && owner.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
        guard isName else {
            throw ArchiveError(
                .refused,
                "'\(owner.prefix(80))' is not an owner's name. Give at most 60 characters without line breaks, or none for everyone."
            )
        }
        let name = SQLValue.text(owner.isEmpty ? nil : owner)
        try database.run(
            """
            UPDATE document SET owner = ?1, changed = ?2 WHERE id = ?3
            AND owner IS DISTINCT FROM ?1
            """, [name, .real(secondsNow()), document.value])
        if database.changes > 0 {
            try AuditTable(database).add(.changed, "owner", to: [document])
        }
    }
}
