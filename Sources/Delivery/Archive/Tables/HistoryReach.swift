import Documents

/// The states of a document's history to which a user may go by undo and redo.
///
/// For a user who sees only their own documents, a step ends the way if it would change a document
/// of someone else, or show a page that only documents of others show. It ends there also if such a
/// document was deleted for good.
struct HistoryReach {
    /// The number of changes that the user may undo.
    private(set) var undoable: Int
    /// The number of changes that the user may make again.
    private(set) var redoable: Int
    /// The pages of all these states; nil for a user who sees all documents.
    private(set) var pages: Set<PageID>?

    private let database: any ArchiveDatabase

    init(_ history: ReviewHistory, _ database: any ArchiveDatabase) throws {
        self.database = database
        (undoable, redoable) = (history.done, history.changes.count - history.done)
        guard database.user.sees == .own else { return }
        pages = Set(history.current.pages.map(\.id))
        // Other changes neither bring pages nor name documents, and there are many of them.
        guard history.changes.joined().contains(where: \.bringsPages) else { return }
        let states = try history.states()
        var known = Set(states[...history.done].joined())
        (undoable, redoable) = (0, 0)
        while undoable < history.done {
            let place = history.done - undoable
            guard
                try isOpen(
                    history.changes[place - 1], from: states[place], to: states[place - 1], known)
            else { break }
            undoable += 1
            pages?.formUnion(states[place - 1])
        }
        while history.done + redoable < history.changes.count {
            let place = history.done + redoable
            guard
                try isOpen(
                    history.changes[place], from: states[place], to: states[place + 1], known)
            else { break }
            redoable += 1
            pages?.formUnion(states[place + 1])
            known.formUnion(states[place + 1])
        }
    }

    /// The pages of a document's states that the user may go to; nil for a user who sees all
    /// documents.
    static func pages(
        of document: SeenDocument, _ database: any ArchiveDatabase
    ) throws -> Set<PageID>? {
        guard database.user.sees == .own else { return nil }
        return try HistoryReach(HistoryTable(database).load(document), database).pages
    }

    /// True if a change may be undone or made again.
    ///
    /// - Parameter known: the pages that the document had in changes that were not undone.
    private func isOpen(
        _ change: [ReviewAction], from old: [PageID], to new: [PageID], _ known: Set<PageID>
    ) throws -> Bool {
        var known = known
        for action in change {
            guard let other = action.otherDocument else { continue }
            if case .hidden = try database.named(other) { return false }
            if case .merge(let joined, _) = action { known.formUnion(joined.pages.map(\.id)) }
        }
        return try Set(new).subtracting(old).allSatisfy { page in
            try Self.mayShow(page, among: known, database)
        }
    }

    /// True if a document may show a page that it does not show now.
    ///
    /// - Parameter known: the pages that it may keep even if no other document shows them.
    static func mayShow(
        _ page: PageID, among known: Set<PageID>, _ database: any ArchiveDatabase
    ) throws -> Bool {
        switch try database.sight(of: page) {
        case .shown: true
        case .hidden: false
        case .removed(let alike): !known.isDisjoint(with: alike)
        }
    }
}

extension HistoryReach {
    /// Refuses a new change that brings a page into a document which no document shows that the
    /// user sees.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`.
    static func expectPages(
        of history: ReviewHistory, after old: Review, _ database: any ArchiveDatabase
    ) throws {
        guard database.user.sees == .own else { return }
        let new = Set(history.current.pages.map(\.id)).subtracting(old.pages.map(\.id))
        guard !new.isEmpty else { return }
        let known = Set(try history.states()[..<history.done].joined())
        for page in new where try !mayShow(page, among: known, database) {
            throw ArchiveError.noPage(page)
        }
    }
}

extension ReviewHistory {
    /// The pages of each state, from the original to the last change, undone ones included.
    func states() throws(ReviewError) -> [[PageID]] {
        var review = original
        var states = [review.pages.map(\.id)]
        for change in changes {
            for action in change { review = try review.applying(action) }
            states.append(review.pages.map(\.id))
        }
        return states
    }
}

extension ReviewAction {
    /// The other document of a split or a merge; nil for other actions.
    var otherDocument: Int64? {
        switch self {
        case .split(_, let other), .merge(_, let other): other
        default: nil
        }
    }

    /// True if making or undoing it can bring pages into a document.
    fileprivate var bringsPages: Bool {
        switch self {
        case .split, .merge, .replace, .deleteSelected: true
        default: false
        }
    }
}

extension ArchiveError {
    /// The error for a step of a history that concerns documents hidden from the user.
    static func closedStep(isUndo: Bool) -> ArchiveError {
        ArchiveError(
            .refused,
            "This change can't be \(isUndo ? "undone" : "made again"): it has to do with pages that are no longer yours. "
                + "Nothing was changed. Ask someone who sees every document.")
    }
}
