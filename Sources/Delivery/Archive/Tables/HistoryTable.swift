import FileNames
import Documents
import FoundationEssentials

/// The histories of documents, as the tables `document` and `change` hold them.
struct HistoryTable {
    private let database: any ArchiveDatabase

    init(_ database: any ArchiveDatabase) { self.database = database }

    /// Stores a document's original, and holds its pages.
    ///
    /// - Parameters:
    ///   - review: the document's first state.
    ///   - cuts: its pages that were cut out of captured pictures. The original shows those
    ///     pictures; cutting them is its first change.
    func begin(_ document: SeenDocument, _ review: Review, _ cuts: [PageCut] = []) throws {
        let original = try cuts.reduce(review) {
            try $0.applying(.replace(page: $1.page.id, by: $1.whole))
        }
        try database.run(
            "UPDATE document SET original = ? WHERE id = ?",
            [.text(try json(original)), document.value])
        try hold(original, document)
        guard !cuts.isEmpty else { return }
        var history = ReviewHistory(original: original)
        try history.perform(cuts.map { .replace(page: $0.whole.id, by: $0.page) })
        try save(history, of: document, isNewChange: true)
    }

    /// Reads a history.
    ///
    /// - Throws: ``ArchiveError`` `noSuchDocument`, or `damaged` when it can't be read.
    func load(_ document: SeenDocument) throws -> ReviewHistory {
        let found = try database.first(
            "SELECT original, done FROM document WHERE id = ?", [document.value]
        ) { (try $0.text(0), try $0.int(1)) }
        guard let (original, done) = found else {
            throw ArchiveError.noDocument(document.id.rawValue)
        }
        let changes = try database.all(
            "SELECT actions FROM change WHERE document = ? ORDER BY number", [document.value]
        ) { try $0.text(0) }
        do {
            let decoder = JSONDecoder()
            return try ReviewHistory(
                original: decoder.decode(Review.self, from: Data(original.utf8)),
                changes: changes.map {
                    try decoder.decode([ReviewAction].self, from: Data($0.utf8))
                }, done: done)
        } catch {
            // The sentence continues after an error's words.
            let fault =
                (error as? ReviewError).map { String($0.message.dropLast()) } ?? jsonFault(error)
            throw ArchiveError(
                .damaged,
                "The history of document \(document.id) can't be read: \(fault). Its captured pages are untouched; restore a "
                    + "backup, or put them into a new archive with 'copystand archive recover FOLDER --archive NEW'."
            )
        }
    }

    /// Stores a change in a history in place of the undone ones, and stores the number of changes
    /// in effect.
    func save(_ history: ReviewHistory, of document: SeenDocument, isNewChange: Bool) throws {
        if isNewChange, let change = history.changes.last {
            try database.run(
                "DELETE FROM change WHERE document = ? AND number >= ?",
                [document.value, .integer(history.done - 1)])
            try database.run(
                "INSERT INTO change (document, number, made, actions) VALUES (?, ?, ?, ?)",
                [
                    document.value, .integer(history.done - 1), .real(secondsNow()),
                    .text(try json(change)),
                ])
            try hold(history.current, document)
        }
        try database.run(
            "UPDATE document SET done = ?, changed = ? WHERE id = ?",
            [.integer(history.done), .real(secondsNow()), document.value])
    }

    /// Keeps the pages for as long as the document's history may need them.
    private func hold(_ review: Review, _ document: SeenDocument) throws {
        for page in review.pages {
            try database.run(
                "INSERT INTO holding (document, page) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [document.value, .integer(page.id.rawValue)])
        }
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// A page, and the picture that it was cut from.
struct PageCut {
    /// The captured picture as a page of its own.
    let whole: ReviewedPage
    /// The page.
    let page: ReviewedPage
}
