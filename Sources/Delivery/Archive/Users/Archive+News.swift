/// The changes of documents that a host has announced.
public struct ToldChanges: Sendable {
    /// The entries of the history, as far back as a slow transaction may still add one.
    fileprivate var entries: Set<Int64> = []
    fileprivate var last: Int64 = 0
    /// The number of entries among which some may be missing.
    fileprivate static let unsettled: Int64 = 1_000
    /// With more new entries than this, every user only learns that something changed.
    fileprivate static let most = 10_000
}

extension Archive {
    /// The owners of documents that were changed since the last call; nil stands for everyone.
    ///
    /// - Parameter told: is updated; nil before the first call, which finds no changes.
    /// - Throws: ``ArchiveError``.
    public func ownersOfChanges(since told: inout ToldChanges?) throws(ArchiveError) -> Set<String?>
    {
        let known = told ?? ToldChanges()
        let (news, owners) = try access { database in
            try database.read {
                var news = known
                var owners: Set<String?> = []
                let entries = try database.all(
                    Self.latestEntries,
                    [
                        .integer(told.map { Int($0.last) }), .integer(ToldChanges.unsettled),
                        .integer(ToldChanges.most),
                    ]
                ) { row in
                    (
                        id: try row.integer(0), action: try row.text(1),
                        detail: try row.optional(2) { try row.text($0) },
                        isThere: !row.isNull(3), owner: try row.optional(4) { try row.text($0) }
                    )
                }
                for entry in entries where news.entries.insert(entry.id).inserted {
                    news.last = max(news.last, entry.id)
                    if entry.isThere {
                        // The earlier owner of the document is not known.
                        let isGiven = entry.detail?.split(separator: ",").contains("owner") == true
                        owners.insert(isGiven ? nil : entry.owner)
                    } else if entry.action == AuditAction.deleted.rawValue {
                        let name = entry.detail ?? ""
                        owners.insert(name.isEmpty ? nil : name)
                    }
                }
                if entries.count == ToldChanges.most { owners.insert(nil) }
                news.entries = news.entries.filter { $0 > news.last - ToldChanges.unsettled }
                return (news, told == nil ? [] : owners)
            }
        }
        told = news
        return owners
    }

    /// The entries among which some may be new; the latest if none is known.
    private static let latestEntries: SQLText = """
        SELECT audit.id, audit.action, audit.detail, document.id, document.owner
        FROM audit LEFT JOIN document ON document.id = audit.document
        WHERE audit.id > coalesce(?1, (SELECT max(id) FROM audit)) - ?2
        ORDER BY audit.id DESC LIMIT ?3
        """
}
