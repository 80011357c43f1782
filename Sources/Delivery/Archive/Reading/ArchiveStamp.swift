import CSQLite

/// A version of an archive: as long as it is the same, everything that is read is the same.
public struct ArchiveStamp: Hashable, Sendable {
    /// Changes of other connections (`PRAGMA data_version`).
    let others: Int64
    /// Rows that this value has changed (`sqlite3_total_changes`).
    let own: Int32
}

extension Archive {
    /// The archive's version now.
    ///
    /// - Throws: ``ArchiveError``.
    public func stamp() throws(ArchiveError) -> ArchiveStamp {
        try access { database in
            ArchiveStamp(
                others: try database.first("PRAGMA data_version") { try $0.integer(0) } ?? 0,
                own: sqlite3_total_changes(database.handle))
        }
    }
}
