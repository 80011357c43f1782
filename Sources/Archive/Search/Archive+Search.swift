import Documents
import FoundationEssentials

extension Archive {
    /// Matches beyond which pages are no longer ranked: ranking reads every match, and among so many says little.
    static let rankedMatches = 15_000

    /// Searches the pages of all documents that are not in the trash.
    ///
    ///     try archive.search("\"total due\" invo* -paid type:invoice since:2026")
    ///
    /// - Parameters: - text: What to look for, see ``SearchQuery``. - limit: At most so many hits. - offset: Hits to pass over, to
    ///   turn to the next page of results.
    /// - Throws: ``ArchiveError``: `refused` for a query that says nothing.
    public func search(
        _ text: String, limit: Int = 20, offset: Int = 0
    ) throws(ArchiveError) -> SearchResult {
        try search(SearchQuery(text), limit: limit, offset: offset)
    }

    /// Searches with a query that was read already.
    ///
    /// - Throws: ``ArchiveError``.
    public func search(
        _ query: SearchQuery, limit: Int = 20, offset: Int = 0
    ) throws(ArchiveError) -> SearchResult {
        try access { database in
            // One state of the database for counting, ranking and reading.
            try database.read {
                try Search(query, database).run(limit: max(0, limit), offset: max(0, offset))
            }
        }
    }
}

/// One search on its way.
private struct Search {
    private let query: SearchQuery
    private let database: Connection
    private let filter: [SQLValue]

    init(_ query: SearchQuery, _ database: Connection) throws {
        self.query = query
        self.database = database
        filter = [
            .text(query.type?.rawValue), .real(query.since), .real(query.before),
            .text(try jsonList(query.tags)),
        ]
    }

    func run(limit: Int, offset: Int) throws -> SearchResult {
        let page: [SQLValue] = [.integer(limit), .integer(offset)]
        guard let expression = query.expression else {
            let leaves = try database.all(Self.filteredOnly, filter + page) { try $0.integer(0) }
            return try result(leaves, .newest, try countFiltered()) { _ in nil }
        }
        let count = try count(expression)
        let ranking = count.isOpen ? nil : try ranking(expression)
        let leaves: [Int64]
        switch ranking {
        case nil:
            leaves = try database.all(
                query.hasFilter ? Self.newestFiltered : Self.newest,
                (query.hasFilter ? [.text(expression)] + filter : [.text(expression)]) + page
            ) { try $0.integer(0) }
        case let rare? where rare == expression:
            leaves = try database.all(
                query.hasFilter ? Self.rankedFiltered : Self.ranked,
                (query.hasFilter ? [.text(expression)] + filter : [.text(expression)]) + page
            ) { try $0.integer(0) }
        case let rare?:
            leaves = try database.all(
                Self.rankedByRareWords, [.text(rare), .text(expression)] + filter + page
            ) { try $0.integer(0) }
        }
        return try result(leaves, ranking == nil ? .newest : .rank, count) { leaf in
            try database.first(Self.marked, [.text(expression), .integer(leaf)]) {
                [try $0.text(0), try $0.text(1), try $0.text(2)].map(MarkedText.init)
            }
        }
    }

    // MARK: How many, and in which order

    private func count(_ expression: String) throws -> (total: Int, isOpen: Bool) {
        let most = Archive.rankedMatches
        let found =
            try database.first(
                query.hasFilter ? Self.countFilteredMatches : Self.countMatches,
                (query.hasFilter ? [.text(expression)] + filter : [.text(expression)])
                    + [.integer(most + 1)]
            ) { try $0.int(0) } ?? 0
        return (min(found, most), found > most)
    }

    private func countFiltered() throws -> (total: Int, isOpen: Bool) {
        (try database.first(Self.countFilteredOnly, filter) { try $0.int(0) } ?? 0, false)
    }

    /// What to rank by: the words that are not on so many pages that they say nothing; nil when all are.
    ///
    /// BM25 counts the pages of each word by itself, so that a word on half of all pages would cost as much as a search for it.
    private func ranking(_ expression: String) throws -> String? {
        guard query.wanted.count > 1 else { return expression }
        let rare = try query.wanted.filter { phrase in
            let found =
                try database.first(
                    Self.countMatches,
                    [.text(phrase.expression), .integer(Archive.rankedMatches + 1)]
                ) { try $0.int(0) } ?? 0
            return found <= Archive.rankedMatches
        }
        if rare.count == query.wanted.count { return expression }
        return rare.isEmpty ? nil : rare.map(\.expression).joined(separator: " AND ")
    }

    // MARK: Hits

    private func result(
        _ leaves: [Int64], _ order: SearchResult.Order, _ count: (total: Int, isOpen: Bool),
        _ marked: (Int64) throws -> [MarkedText]?
    ) throws -> SearchResult {
        let hits = try leaves.compactMap { leaf in try hit(leaf, try marked(leaf)) }
        return SearchResult(
            hits: hits, order: order, total: max(count.total, hits.count), isTotalOpen: count.isOpen)
    }

    private func hit(_ leaf: Int64, _ marked: [MarkedText]?) throws -> SearchHit? {
        try database.first(Self.leaf, [.integer(leaf)]) { row in
            let document = try row.integer(0)
            var page = ReviewedPage(
                id: PageID(rawValue: try row.integer(1)), width: try row.int(8),
                height: try row.int(9))
            let frame = try row.text(6)
            if !frame.isEmpty {
                page.frame = try JSONDecoder().decode(PageFrame.self, from: Data(frame.utf8))
            }
            if try row.integer(7) != 0 {
                let review = try HistoryTable(database).load(document).current
                page.text = review.pages.first { $0.id == page.id }?.text
            }
            let size = page.frame.size
            let marks = try marked ?? [MarkedText(row.text(5))]
            return SearchHit(
                document: DocumentID(rawValue: document), title: try row.text(2),
                type: DocumentType(rawValue: try row.text(3)) ?? .other,
                created: try row.real(4), page: try row.int(10), pageID: page.id,
                width: size.width, height: size.height, words: try words(page, marks),
                // The text where the hit is there, else where else it is.
                snippet: (marks.first { !$0.marks.isEmpty } ?? marks[0]).snippet())
        }
    }

    private func words(_ page: ReviewedPage, _ marks: [MarkedText]) throws -> [Word] {
        guard marks.count > 1, !(marks[0].marks.isEmpty && marks[1].marks.isEmpty),
            let text = try PageTable(database).text(page)?.shown(in: page.frame)
        else { return [] }
        let searched = SearchText(text)
        let all = text.words
        let found = Set(
            marks[0].words(at: searched.places) + marks[1].words(at: searched.brokenPlaces))
        return found.sorted().filter(all.indices.contains).map { all[$0] }
    }
}

/// The statements; numbered parameters stand for the filter wherever there is one.
extension Search {
    private static let countMatches: StaticString =
        "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)"
    private static let newest: StaticString =
        "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ? OFFSET ?"
    private static let ranked: StaticString =
        "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rank LIMIT ? OFFSET ?"
    private static let marked: StaticString = """
        SELECT highlight(search, 0, char(1), char(2)), highlight(search, 1, char(1), char(2)),
            highlight(search, 2, char(1), char(2))
        FROM search WHERE search MATCH ? AND rowid = ?
        """
    private static let leaf: StaticString = """
        SELECT leaf.document, leaf.page, document.title, document.type, document.created, leaf.body, leaf.frame,
            leaf.corrected, page.width, page.height, document.first + leaf.position
        FROM leaf JOIN document ON document.id = leaf.document JOIN page ON page.id = leaf.page WHERE leaf.id = ?
        """
    private static let countFilteredMatches: StaticString = """
        SELECT count(*) FROM (
            SELECT 1 FROM search CROSS JOIN leaf ON leaf.id = search.rowid
                CROSS JOIN document ON document.id = leaf.document
            WHERE search MATCH ?1 AND (?2 IS NULL OR document.type = ?2)
                AND (?3 IS NULL OR document.created >= ?3) AND (?4 IS NULL OR document.created < ?4)
                AND (?5 = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(?5) AS wanted WHERE NOT EXISTS (
                    SELECT 1 FROM tag WHERE tag.document = document.id AND tag.name = wanted.value)))
            LIMIT ?6)
        """
    private static let newestFiltered: StaticString = """
        SELECT search.rowid FROM search CROSS JOIN leaf ON leaf.id = search.rowid
            CROSS JOIN document ON document.id = leaf.document
        WHERE search MATCH ?1 AND (?2 IS NULL OR document.type = ?2)
            AND (?3 IS NULL OR document.created >= ?3) AND (?4 IS NULL OR document.created < ?4)
            AND (?5 = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(?5) AS wanted WHERE NOT EXISTS (
                SELECT 1 FROM tag WHERE tag.document = document.id AND tag.name = wanted.value)))
        ORDER BY search.rowid DESC LIMIT ?6 OFFSET ?7
        """
    private static let rankedFiltered: StaticString = """
        SELECT search.rowid FROM search CROSS JOIN leaf ON leaf.id = search.rowid
            CROSS JOIN document ON document.id = leaf.document
        WHERE search MATCH ?1 AND (?2 IS NULL OR document.type = ?2)
            AND (?3 IS NULL OR document.created >= ?3) AND (?4 IS NULL OR document.created < ?4)
            AND (?5 = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(?5) AS wanted WHERE NOT EXISTS (
                SELECT 1 FROM tag WHERE tag.document = document.id AND tag.name = wanted.value)))
        ORDER BY search.rank LIMIT ?6 OFFSET ?7
        """
    private static let rankedByRareWords: StaticString = """
        SELECT search.rowid FROM search CROSS JOIN leaf ON leaf.id = search.rowid
            CROSS JOIN document ON document.id = leaf.document
        WHERE search MATCH ?1 AND +search.rowid IN (SELECT rowid FROM search WHERE search MATCH ?2)
            AND (?3 IS NULL OR document.type = ?3)
            AND (?4 IS NULL OR document.created >= ?4) AND (?5 IS NULL OR document.created < ?5)
            AND (?6 = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(?6) AS wanted WHERE NOT EXISTS (
                SELECT 1 FROM tag WHERE tag.document = document.id AND tag.name = wanted.value)))
        ORDER BY search.rank LIMIT ?7 OFFSET ?8
        """
    private static let filteredOnly: StaticString = """
        SELECT leaf.id FROM document JOIN leaf ON leaf.document = document.id AND leaf.position = 0
        WHERE document.trashed IS NULL AND (?1 IS NULL OR document.type = ?1)
            AND (?2 IS NULL OR document.created >= ?2) AND (?3 IS NULL OR document.created < ?3)
            AND (?4 = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(?4) AS wanted WHERE NOT EXISTS (
                SELECT 1 FROM tag WHERE tag.document = document.id AND tag.name = wanted.value)))
        ORDER BY leaf.id DESC LIMIT ?5 OFFSET ?6
        """
    private static let countFilteredOnly: StaticString = """
        SELECT count(*) FROM document
        WHERE document.trashed IS NULL AND (?1 IS NULL OR document.type = ?1)
            AND (?2 IS NULL OR document.created >= ?2) AND (?3 IS NULL OR document.created < ?3)
            AND (?4 = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(?4) AS wanted WHERE NOT EXISTS (
                SELECT 1 FROM tag WHERE tag.document = document.id AND tag.name = wanted.value)))
        """
}
