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
        try search(query, limit: limit, offset: offset, ranking: Self.rankedMatches)
    }

    /// Searches with another bound for ranking, for tests.
    func search(
        _ query: SearchQuery, limit: Int, offset: Int, ranking most: Int
    ) throws(ArchiveError) -> SearchResult {
        try access { database in
            // One state of the database for counting, ranking and reading.
            try database.read {
                try Search(query, most, database).run(limit: max(0, limit), offset: max(0, offset))
            }
        }
    }
}

/// One search on its way.
struct Search {
    private let query: SearchQuery
    /// Matches beyond which pages are not ranked.
    private let most: Int
    private let database: Connection
    private let filter: [SQLValue]
    /// True when so few pages are in the documents the filter leaves that their list is made first.
    private let isNarrow: Bool

    init(_ query: SearchQuery, _ most: Int, _ database: Connection) throws {
        self.most = most
        self.query = query
        self.database = database
        filter = [
            .text(query.type?.rawValue), .real(query.since), .real(query.before),
            .text(try jsonList(query.tags)),
        ]
        guard query.hasFilter else {
            isNarrow = false
            return
        }
        let pages = try database.first(Self.countFilteredPages, filter + [.integer(most + 1)]) {
            try $0.int(0)
        }
        isNarrow = (pages ?? 0) <= most
    }

    /// The statement of three that suits the filter: none, a narrow one, a wide one.
    private func choose(
        _ plain: StaticString, _ narrow: StaticString, _ wide: StaticString
    ) -> StaticString {
        query.hasFilter ? isNarrow ? narrow : wide : plain
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
                choose(Self.newest, Self.newestNarrow, Self.newestFiltered),
                (query.hasFilter ? [.text(expression)] + filter : [.text(expression)]) + page
            ) { try $0.integer(0) }
        case let rare? where rare == expression:
            leaves = try database.all(
                choose(Self.ranked, Self.rankedNarrow, Self.rankedFiltered),
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
        let found =
            try database.first(
                choose(Self.countMatches, Self.countNarrow, Self.countFilteredMatches),
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
        // Without a filter the only word was counted already.
        guard query.wanted.count > 1 || query.hasFilter else { return expression }
        let rare = try query.wanted.filter { phrase in
            let found =
                try database.first(
                    Self.countMatches,
                    [.text(phrase.expression), .integer(Archive.rankedMatches + 1)]
                ) { try $0.int(0) } ?? 0
            return found <= most
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
            hits: hits, order: order, total: max(count.total, hits.count), isTotalOpen: count.isOpen
        )
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
