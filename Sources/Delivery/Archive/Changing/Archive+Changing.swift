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
    /// - Throws: ``ArchiveError``: `refused` with the fault of the change, `noSuchDocument`,
    ///   `changedMeanwhile`.
    @discardableResult
    public func perform(
        _ actions: [ReviewAction], owner: String? = nil, on id: DocumentID,
        seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) -> Review {
        try access { database in
            try database.write {
                let document = try database.seeHeld(id)
                try Self.expect(seen, document, database)
                try Self.expectPlain(actions)
                let review = try Self.perform(actions, document, database)
                if let owner { try Self.setOwner(owner, of: document, database) }
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
    /// - Throws: ``ArchiveError``: `refused` when the document has no change left to undo, or one
    ///   that has to do with what the user does not see; `changedMeanwhile`.
    @discardableResult
    public func undo(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) -> Review {
        try step(id, seen, isUndo: true)
    }

    /// Makes a document's last undone change again.
    ///
    /// - Parameter seen: The versions of the document to which it applies; nil for any.
    /// - Throws: ``ArchiveError``: `refused` when nothing was undone last, or a change that has to
    ///   do with what the user does not see; `changedMeanwhile`.
    @discardableResult
    public func redo(
        _ id: DocumentID, seen: Set<DocumentVersion>? = nil
    ) throws(ArchiveError) -> Review {
        try step(id, seen, isUndo: false)
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
                try Self.split(database.seeHeld(id), after: page, database)
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
                return try Self.merge(database.see(id), with: database.see(other), database)
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
                let document = try database.see(id)
                try Self.expect(seen, document, database)
                try Self.expectPlain(actions)
                _ = try Self.perform(actions, document, database)
                let made = try page.map { try Self.split(document, after: $0, database) }
                if let other { _ = try Self.merge(document, with: database.see(other), database) }
                return made
            }
        }
    }

    // MARK: Inside a transaction

    /// Refuses a split or a merge among changes, which would name a document unchecked.
    private static func expectPlain(_ actions: [ReviewAction]) throws {
        guard actions.allSatisfy({ $0.otherDocument == nil }) else {
            throw ArchiveError(
                .refused, "Splits and merges are no changes of one document: make them separately.")
        }
    }

    static func perform(
        _ actions: [ReviewAction], _ document: SeenDocument, _ database: any ArchiveDatabase
    ) throws -> Review {
        let table = HistoryTable(database)
        var history = try table.load(document)
        let old = history.current
        guard !actions.isEmpty else { return old }
        try history.perform(actions)
        try HistoryReach.expectPages(of: history, after: old, database)
        try table.save(history, of: document, isNewChange: true)
        try writer(document, database).update(from: old, to: history.current)
        try AuditTable(database).add(actions, to: document)
        return history.current
    }

    static func split(
        _ document: SeenDocument, after page: PageID, _ database: any ArchiveDatabase
    ) throws -> DocumentID {
        let table = HistoryTable(database)
        let history = try table.load(document)
        let parts = try history.current.parts(splitAfter: page)
        let isRetitled = history.current.title != history.original.title
        let now = secondsNow()
        let made = try database.insertDocument(
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
                .integer(isRetitled ? 1 : 0), document.value,
            ])
        try table.begin(made, parts.moved)
        try writer(made, database).update(from: nil, to: parts.moved)
        try AuditTable(database).add(.changed, "split", to: [made])
        _ = try perform(
            [.split(after: page, into: made.id.rawValue)], document, database)
        return made.id
    }

    static func merge(
        _ document: SeenDocument, with other: SeenDocument, _ database: any ArchiveDatabase
    ) throws -> Review {
        guard document != other else {
            throw ArchiveError(.refused, "Document \(document.id) can't be merged with itself.")
        }
        let joining = try HistoryTable(database).load(other).current
        let result = try perform(
            [.merge(joining, from: other.id.rawValue)], document, database)
        try setTrashed(other, true, database)
        return result
    }

    private func step(
        _ id: DocumentID, _ seen: Set<DocumentVersion>?, isUndo: Bool
    ) throws(ArchiveError) -> Review {
        try access { database in
            try database.write {
                let document = try database.seeHeld(id)
                try Self.expect(seen, document, database)
                let table = HistoryTable(database)
                let before = try table.load(document)
                var history = before
                let actions = isUndo ? try history.undo() : try history.redo()
                try database.hold(actions.compactMap(\.otherDocument))
                let reach = try HistoryReach(before, database)
                guard (isUndo ? reach.undoable : reach.redoable) > 0 else {
                    throw ArchiveError.closedStep(isUndo: isUndo)
                }
                try table.save(history, of: document, isNewChange: false)
                try Self.writer(document, database).update(
                    from: before.current, to: history.current)
                try AuditTable(database).add(.changed, isUndo ? "undo" : "redo", to: [document])
                for action in actions {
                    try Self.follow(
                        action, isUndo, from: isUndo ? history.current : before.current,
                        of: document, database)
                }
                return history.current
            }
        }
    }

    /// Updates the other document of a split or a merge after that change was undone or redone.
    ///
    /// If it was deleted for good meanwhile, it is restored to its state at the change: this
    /// document's history still holds its pages.
    private static func follow(
        _ action: ReviewAction, _ isUndo: Bool, from before: Review, of document: SeenDocument,
        _ database: any ArchiveDatabase
    ) throws {
        let returning: Review?
        switch action {
        case .split(let page, _):
            returning = isUndo ? nil : try before.parts(splitAfter: page).moved
        case .merge(let joined, _): returning = isUndo ? joined : nil
        default: return
        }
        guard let number = action.otherDocument else { return }
        switch try database.named(number) {
        case .there(let other): try setTrashed(other, returning == nil, database)
        case .deleted(let owner):
            guard let returning else { return }
            let other = try revive(number, owner: owner, as: returning, of: document, database)
            try setTrashed(other, false, database)
        case .hidden: throw ArchiveError.closedStep(isUndo: isUndo)
        }
    }

    /// - Parameter owner: its last owner; that of `document` where the picture's is unknown.
    private static func revive(
        _ gone: Int64, owner: LastOwner?, as review: Review, of document: SeenDocument,
        _ database: any ArchiveDatabase
    ) throws -> SeenDocument {
        let now = secondsNow()
        let revived = try database.insertDocument(
            """
            INSERT INTO document (id, title, type, note, language, created, added, changed, \
            trashed, pages, title_given, owner)
            SELECT ?1, title, type, '', language, created, ?2, ?2, ?2, ?3, title_given, \
            CASE ?4 WHEN 1 THEN ?5 ELSE owner END FROM document WHERE id = ?6
            """,
            [
                .integer(gone), .real(now), .integer(review.pages.count),
                .integer(owner == nil ? 0 : 1), .text(owner?.name), document.value,
            ])
        try HistoryTable(database).begin(revived, review)
        try writer(revived, database).update(from: nil, to: review)
        return revived
    }

    static func writer(
        _ document: SeenDocument, _ database: any ArchiveDatabase
    ) throws -> LeafWriter {
        let isTrashed = try database.first(
            "SELECT trashed IS NOT NULL FROM document WHERE id = ?", [document.value]
        ) { try $0.integer(0) != 0 }
        return LeafWriter(database, document: document, isIndexed: isTrashed != true)
    }
}
