public import Documents

extension Archive {
    /// Makes a change to a document: all of its actions, or none; undone as one.
    ///
    /// ``ReviewAction/split(after:into:)`` and ``ReviewAction/merge(_:from:)`` are made by
    /// ``split(_:after:)`` and ``merge(_:with:)``.
    ///
    /// - Parameters:
    ///   - owner: The name of another owner, which is not undone; empty for a document of everyone,
    ///     nil to leave it.
    ///   - seen: The versions of the document to which it applies; nil for any.
    /// - Returns: The document's state after it.
    /// - Throws: ``ArchiveError``: `refused` with what is wrong with the change, `noSuchDocument`,
    ///   `changedMeanwhile`.
    @discardableResult
    public func perform(
        _ actions: [ReviewAction], owner: String? = nil, on id: DocumentID,
        seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) -> Review {
        try access { database in
            try database.write {
                try database.hold([id.rawValue])
                try Self.expect(seen, id.rawValue, database)
                let review = try Self.perform(actions, id.rawValue, database)
                if let owner { try Self.setOwner(owner, of: id.rawValue, database) }
                return review
            }
        }
    }

    /// Undoes a document's last change.
    ///
    /// A document that was split off goes into the trash then, with all later changes; one
    /// that was merged in comes back.
    ///
    /// - Parameter seen: The versions of the document to which it applies; nil for any.
    /// - Throws: ``ArchiveError``: `refused` when the document has no change left to undo,
    ///   `changedMeanwhile`.
    @discardableResult
    public func undo(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) -> Review {
        try step(id, seen) { history in (try history.undo(), isUndo: true) }
    }

    /// Makes a document's last undone change again.
    ///
    /// - Parameter seen: The versions of the document to which it applies; nil for any.
    /// - Throws: ``ArchiveError``: `refused` when nothing was undone last, `changedMeanwhile`.
    @discardableResult
    public func redo(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) -> Review {
        try step(id, seen) { history in (try history.redo(), isUndo: false) }
    }

    /// Moves the pages after one into a new document.
    ///
    /// - Returns: The new document.
    /// - Throws: ``ArchiveError``.
    public func split(
        _ id: DocumentID, after page: PageID
    ) throws(ArchiveError) -> DocumentID {
        try access { database in
            try database.write {
                try database.hold([id.rawValue])
                return try Self.split(id.rawValue, after: page, database)
            }
        }
    }

    /// Appends another document, which then goes into the trash.
    ///
    /// - Throws: ``ArchiveError``: `refused` if the two documents are the same.
    @discardableResult
    public func merge(
        _ id: DocumentID, with other: DocumentID
    ) throws(ArchiveError) -> Review {
        try access { database in
            try database.write {
                try database.hold([id.rawValue, other.rawValue])
                return try Self.merge(id.rawValue, with: other.rawValue, database)
            }
        }
    }

    /// Makes changes, a split and a merge as one: either all of them or none.
    ///
    /// They are undone one after another: the merge, the split, the changes.
    ///
    /// - Parameter seen: The versions of the document that they are made to; nil for any.
    /// - Returns: The document that was split off.
    /// - Throws: ``ArchiveError``.
    @discardableResult
    public func change(
        _ id: DocumentID, _ actions: [ReviewAction], splitAfter page: PageID? = nil,
        mergeWith other: DocumentID? = nil, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) -> DocumentID? {
        try access { database in
            try database.write {
                try database.hold([id.rawValue] + (other.map { [$0.rawValue] } ?? []))
                try Self.expect(seen, id.rawValue, database)
                _ = try Self.perform(actions, id.rawValue, database)
                let made = try page.map { try Self.split(id.rawValue, after: $0, database) }
                if let other { _ = try Self.merge(id.rawValue, with: other.rawValue, database) }
                return made
            }
        }
    }

    // MARK: Inside a transaction

    static func perform(
        _ actions: [ReviewAction], _ document: Int64, _ database: any ArchiveDatabase
    ) throws -> Review {
        let table = HistoryTable(database)
        var history = try table.load(document)
        let old = history.current
        guard !actions.isEmpty else { return old }
        try history.perform(actions)
        try table.save(history, of: document, isNewChange: true)
        try writer(document, database).update(from: old, to: history.current)
        try AuditTable(database).add(actions, to: document)
        return history.current
    }

    static func split(
        _ document: Int64, after page: PageID, _ database: any ArchiveDatabase
    ) throws -> DocumentID {
        let table = HistoryTable(database)
        let history = try table.load(document)
        let parts = try history.current.parts(splitAfter: page)
        let isRetitled = history.current.title != history.original.title
        let now = secondsNow()
        let made = try database.insert(
            SQLText(
                sqlite: """
                    INSERT INTO document (title, type, note, language, created, added, changed, \
                    pages, title_given, owner)
                    SELECT title, type, '', language, created, ?, ?, ?, max(title_given, ?), \
                    owner FROM document WHERE id = ?
                    """,
                postgresql: """
                    INSERT INTO document (title, type, note, language, created, added, changed, \
                    pages, title_given, owner)
                    SELECT title, type, '', language, created, ?, ?, ?, greatest(title_given, ?), \
                    owner FROM document WHERE id = ?
                    """),
            [
                .real(now), .real(now), .integer(parts.moved.pages.count),
                .integer(isRetitled ? 1 : 0), .integer(document),
            ])
        try table.begin(made, parts.moved)
        try writer(made, database).update(from: nil, to: parts.moved)
        try AuditTable(database).add(.changed, "split", to: [made])
        _ = try perform([.split(after: page, into: made)], document, database)
        return DocumentID(rawValue: made)
    }

    static func merge(
        _ document: Int64, with other: Int64, _ database: any ArchiveDatabase
    ) throws -> Review {
        guard document != other else {
            throw ArchiveError(.refused, "Document \(document) can't be merged with itself.")
        }
        let joining = try HistoryTable(database).load(other).current
        let result = try perform([.merge(joining, from: other)], document, database)
        try setTrashed(other, true, database)
        return result
    }

    private func step(
        _ id: DocumentID, _ seen: Set<DocumentVersion>?,
        _ move: (inout ReviewHistory) throws -> ([ReviewAction], isUndo: Bool)
    ) throws(ArchiveError) -> Review {
        try access { database in
            try database.write {
                try database.hold([id.rawValue])
                try Self.expect(seen, id.rawValue, database)
                let table = HistoryTable(database)
                var history = try table.load(id.rawValue)
                let old = history.current
                let (actions, isUndo) = try move(&history)
                try table.save(history, of: id.rawValue, isNewChange: false)
                try Self.writer(id.rawValue, database).update(from: old, to: history.current)
                try AuditTable(database).add(
                    .changed, isUndo ? "undo" : "redo", to: [id.rawValue])
                for action in actions {
                    try Self.follow(
                        action, isUndo, from: isUndo ? history.current : old, of: id, database)
                }
                return history.current
            }
        }
    }

    /// Updates the other document of a split or a merge after that change was undone or redone.
    ///
    /// If it was deleted for good meanwhile, it comes back as it was at the change: this document's
    /// history still holds its pages.
    private static func follow(
        _ action: ReviewAction, _ isUndo: Bool, from before: Review, of document: DocumentID,
        _ database: any ArchiveDatabase
    ) throws {
        switch action {
        case .split(let page, let other):
            if !isUndo {
                try revive(
                    other, try before.parts(splitAfter: page).moved, document: document,
                    database: database)
            }
            try setTrashed(other, isUndo, database)
        case .merge(let joined, let other):
            if isUndo { try revive(other, joined, document: document, database: database) }
            try setTrashed(other, !isUndo, database)
        default: break
        }
    }

    private static func revive(
        _ gone: Int64, _ review: Review, document: DocumentID, database: any ArchiveDatabase
    ) throws {
        let isThere = try database.first(
            "SELECT 1 FROM document WHERE id = ?", [.integer(gone)]
        ) { try $0.integer(0) }
        guard isThere == nil else { return }
        let now = secondsNow()
        try database.run(
            """
            INSERT INTO document (id, title, type, note, language, created, added, changed, \
            trashed, pages, title_given, owner)
            SELECT ?, title, type, '', language, created, ?, ?, ?, ?, title_given, owner \
            FROM document WHERE id = ?
            """,
            [
                .integer(gone), .real(now), .real(now), .real(now), .integer(review.pages.count),
                .integer(document.rawValue),
            ])
        try HistoryTable(database).begin(gone, review)
        try writer(gone, database).update(from: nil, to: review)
    }

    static func writer(_ document: Int64, _ database: any ArchiveDatabase) throws -> LeafWriter {
        let isTrashed = try database.first(
            "SELECT trashed IS NOT NULL FROM document WHERE id = ?", [.integer(document)]
        ) { try $0.integer(0) != 0 }
        return LeafWriter(database, document: document, isIndexed: isTrashed != true)
    }
}
