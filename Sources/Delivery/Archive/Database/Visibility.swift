import Documents

// The documents that a user may see are decided here: for lists and searches with `ownName`, and
// for a document with `see`, which gives the only value with which its rows can be read or written.

/// A document that the user of a connection sees, in the transaction in which it was looked up.
///
/// Only this file makes one. Everything that reads or writes a document's rows takes one, so that
/// no number from a request, a list, a history or a job gets there unchecked.
struct SeenDocument: Hashable {
    /// The document's id.
    let id: DocumentID

    fileprivate init(_ number: Int64) { id = DocumentID(rawValue: number) }

    /// The id as a statement's parameter.
    var value: SQLValue { .integer(id.rawValue) }
}

/// A document in a history, from the user's point of view.
enum NamedDocument {
    /// It exists, and the user sees it.
    case there(SeenDocument)
    /// It was deleted for good, and the user saw it; its last owner, unless an older version
    /// deleted it.
    case deleted(LastOwner?)
    /// The user does not see it, or did not.
    case hidden
}

/// The owner of a document at its end.
struct LastOwner {
    /// The owner's name; nil for everyone.
    let name: String?
}

/// How a user finds a page.
enum PageSight {
    /// A document that the user sees shows it, or its picture in another cut or look.
    case shown
    /// Only documents of others do, or only they show a part of its picture.
    case hidden
    /// No document does; histories may need it. Its ids in all cuts and looks.
    case removed(Set<PageID>)
}

extension ArchiveDatabase {
    /// The name of a user who sees only their own documents, for statements that leave out those of
    /// others; null for a user who sees all.
    var ownName: SQLValue { .text(ownerFilter) }

    /// The only owner, besides none, whose documents the user sees; nil for every owner.
    var ownerFilter: String? { user.sees == .all ? nil : user.name ?? "" }

    /// The document of that number; a hidden one counts as missing.
    ///
    /// Whether it exists is not checked for a user who sees all documents.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`.
    func see(_ document: Int64) throws -> SeenDocument {
        guard user.sees == .own else { return SeenDocument(document) }
        let isVisible = try first(
            "SELECT 1 FROM document WHERE id = ?1 AND (owner IS NULL OR owner = ?2)",
            [.integer(document), ownName]
        ) { try $0.integer(0) }
        guard isVisible != nil else { throw ArchiveError.noDocument(document) }
        return SeenDocument(document)
    }

    /// The document of that id, as ``see(_:)-(Int64)``.
    func see(_ document: DocumentID) throws -> SeenDocument { try see(document.rawValue) }

    /// The document of that id, which nobody else changes until the transaction ends.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`.
    func seeHeld(_ document: DocumentID) throws -> SeenDocument {
        try hold([document.rawValue])
        return try see(document)
    }

    /// The document in a row's first column, with its owner in another column; nil for
    /// one that the user may not see.
    func seen(in row: Row, owner: Int32) throws -> SeenDocument? {
        let name = try row.optional(owner) { try row.text($0) }
        return user.maySee(name) ? SeenDocument(try row.integer(0)) : nil
    }

    /// Inserts a document, which the user sees in this transaction even if it gets another owner.
    func insertDocument(_ statement: SQLText, _ values: [SQLValue]) throws -> SeenDocument {
        SeenDocument(try insert(statement, values))
    }

    /// A document that a history names.
    func named(_ document: Int64) throws -> NamedDocument {
        let found = try first(
            "SELECT owner FROM document WHERE id = ?", [.integer(document)]
        ) { row in LastOwner(name: try row.optional(0) { try row.text($0) }) }
        if let found { return user.maySee(found.name) ? .there(SeenDocument(document)) : .hidden }
        let detail = try first(
            """
            SELECT detail FROM audit WHERE document = ? AND action = 'deleted'
            ORDER BY id DESC LIMIT 1
            """, [.integer(document)]
        ) { row in try row.optional(0) { try row.text($0) } }
        let last = (detail ?? nil).map { LastOwner(name: $0.isEmpty ? nil : $0) }
        let wasSeen = last.map { user.maySee($0.name) } ?? (user.sees == .all)
        return wasSeen ? .deleted(last) : .hidden
    }

    /// How a user who sees only their own documents finds a page.
    func sight(of page: PageID) throws -> PageSight {
        let alike = try all(
            """
            WITH root (id) AS (SELECT coalesce(uncut, plain, id) FROM page WHERE id = ?1),
            alike (id) AS (
                SELECT id FROM root
                UNION SELECT id FROM page WHERE uncut IN (SELECT id FROM root)
                UNION SELECT id FROM page WHERE plain IN (SELECT id FROM root))
            SELECT page.id, page.uncut,
                EXISTS (SELECT 1 FROM leaf JOIN document ON document.id = leaf.document
                    WHERE leaf.page = page.id
                        AND (document.owner IS NULL OR document.owner = ?2)),
                EXISTS (SELECT 1 FROM leaf JOIN document ON document.id = leaf.document
                    WHERE leaf.page = page.id AND document.owner <> ?2)
            FROM alike JOIN page ON page.id = alike.id
            """, [.integer(page.rawValue), ownName]
        ) { row in
            (
                id: PageID(rawValue: try row.integer(0)),
                uncut: try row.optional(1) { PageID(rawValue: try row.integer($0)) },
                isShown: try row.integer(2) == 1, isOfOthers: try row.integer(3) == 1
            )
        }
        let same = alike.first { $0.id == page }
        if same?.isShown == true { return .shown }
        if same?.isOfOthers == true { return .hidden }
        if try alike.contains(where: { $0.uncut == page }) && showsPartOfOthers(page) {
            return .hidden
        }
        if alike.contains(where: \.isShown) { return .shown }
        return alike.contains(where: \.isOfOthers) ? .hidden : .removed(Set(alike.map(\.id)))
    }

    /// True if another part of a captured picture, once in the same document, is now shown only by
    /// documents of others.
    private func showsPartOfOthers(_ whole: PageID) throws -> Bool {
        try first(
            """
            SELECT 1 FROM page whole JOIN page alike ON alike.image = whole.image
            JOIN page part ON part.uncut = alike.id
            WHERE whole.id = ?1
                AND EXISTS (SELECT 1 FROM holding mine
                    JOIN holding other ON other.document = mine.document
                    WHERE mine.page = ?1 AND other.page = part.id)
                AND EXISTS (SELECT 1 FROM leaf JOIN document ON document.id = leaf.document
                    WHERE leaf.page = part.id AND document.owner <> ?2)
                AND NOT EXISTS (SELECT 1 FROM leaf JOIN document ON document.id = leaf.document
                    WHERE leaf.page = part.id
                        AND (document.owner IS NULL OR document.owner = ?2))
            LIMIT 1
            """, [.integer(whole.rawValue), ownName]
        ) { try $0.integer(0) } != nil
    }

    /// True if only documents of others show a page.
    func isHidden(_ page: PageID) throws -> Bool {
        guard user.sees == .own, case .hidden = try sight(of: page) else { return false }
        return true
    }

    /// Refuses a page that no document shows which the user sees.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`.
    func expectShown(_ page: PageID) throws {
        guard user.sees == .own else { return }
        guard case .shown = try sight(of: page) else { throw ArchiveError.noPage(page) }
    }
}

extension ArchiveError {
    /// The error for a document that does not exist, or that the user may not see.
    static func noDocument(_ document: Int64) -> ArchiveError {
        ArchiveError(
            .noSuchDocument,
            "There is no document \(document) in the archive. 'copystand list' shows them all.")
    }

    /// The error for a page that does not exist, or that no document shows which the user sees.
    static func noPage(_ page: PageID) -> ArchiveError {
        ArchiveError(
            .noSuchDocument,
            "There is no page \(page.rawValue) in a document that you see. Look at the document as it is now, and try again."
        )
    }
}
