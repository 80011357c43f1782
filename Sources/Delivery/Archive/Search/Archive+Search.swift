import Documents
import FoundationEssentials

extension Archive {
    /// The number of matches beyond which pages are no longer ranked: ranking reads every match,
    /// and means little among this many.
    static let rankedMatches = 15_000

    /// Searches the pages of all documents that are not in the trash.
    ///
    ///     try archive.search("\"total due\" invo* -paid type:invoice since:2026")
    ///
    /// - Parameters:
    ///   - text: What to look for, see ``SearchQuery``.
    ///   - limit: At most this many hits.
    ///   - offset: The number of hits to skip, for the next page of results.
    /// - Throws: ``ArchiveError``: `refused` for a query without anything to search for.
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
            // Counting, ranking and reading use the same state of the database.
            try database.read {
                try Search(query, most, database).run(limit: max(0, limit), offset: max(0, offset))
            }
        }
    }
}

/// A running search.
struct Search {
    private let query: SearchQuery
    /// Matches beyond which pages are not ranked.
    private let most: Int
    private let database: Connection
    private let filter: [SQLValue]
    private let breadth: Breadth

    /// How many pages the filter leaves.
    private enum Breadth {
        /// There is no filter.
        case all
        /// The filter leaves more pages than are listed first: matches are examined one by one
        /// until enough are found.
        case wide
        /// The filter leaves so few pages that they are listed first; in order, and at least one.
        case narrow([Int64])
        /// None.
        case none
    }

    init(_ query: SearchQuery, _ most: Int, _ database: Connection) throws {
        self.most = most
        self.query = query
        self.database = database
        filter = [
            .text(query.type?.rawValue), .real(query.since), .real(query.before),
            .text(try wantedList(tags: query.tags, fields: query.fields)),
        ]
        guard query.hasFilter else {
            breadth = .all
            return
        }
        let pages = try database.all(Self.filteredPages, filter + [.integer(most + 1)]) {
            try $0.integer(0)
        }
        breadth = pages.isEmpty ? .none : pages.count > most ? .wide : .narrow(pages.sorted())
    }

    func run(limit: Int, offset: Int) throws -> SearchResult {
        let page: [SQLValue] = [.integer(limit), .integer(offset)]
        guard let expression = query.expression else {
            let leaves = try database.all(Self.filteredOnly, filter + page) { try $0.integer(0) }
            return try result(leaves, .newest, count: try countFiltered(), marks: [:])
        }
        switch breadth {
        case .none: return try result([], .rank, count: (0, false), marks: [:])
        case .narrow(let pages):
            let matches = try matches(expression, among: pages)
            guard !matches.isEmpty else {
                return try result([], .rank, count: (0, false), marks: [:])
            }
            let ranking = try ranking(expression)
            let leaves =
                try ranking.map { try ranked(by: $0, expression, page, among: matches) }
                ?? Array(matches.reversed().dropFirst(offset).prefix(limit))
            return try result(
                leaves, ranking == nil ? .newest : .rank, count: (matches.count, false),
                marks: try marks(expression, leaves))
        case .all, .wide:
            let count = try count(expression)
            let ranking = count.isOpen ? nil : try ranking(expression)
            let leaves =
                try ranking.map { try ranked(by: $0, expression, page, among: nil) }
                ?? database.all(
                    query.hasFilter ? Self.newestFiltered : Self.newest,
                    parameters(expression) + page
                ) { try $0.integer(0) }
            return try result(
                leaves, ranking == nil ? .newest : .rank, count: count,
                marks: try marks(expression, leaves))
        }
    }

    /// The expression, and the filter where there is one.
    private func parameters(_ expression: String) -> [SQLValue] {
        [.text(expression)] + (query.hasFilter ? filter : [])
    }

    /// The pages of a list that match, in order.
    ///
    /// A document's pages mostly follow one another, and the index jumps to where a stretch begins.
    /// If there are too many, or prefixes would be merged again for each, the matches are compared
    /// with the list in one pass.
    private func matches(_ expression: String, among pages: [Int64]) throws -> [Int64] {
        guard let first = pages.first, let last = pages.last else { return [] }
        var stretches: [(first: Int64, last: Int64)] = []
        for page in pages {
            if let end = stretches.last?.last, end + 1 == page {
                stretches[stretches.count - 1].last = page
            } else {
                stretches.append((page, page))
            }
        }
        let isPlain = (query.wanted + query.unwanted).allSatisfy { !$0.isPrefix }
        if !isPlain || stretches.count > Self.mostStretches { stretches = [(first, last)] }
        var matches: [Int64] = []
        var at = 0
        for stretch in stretches {
            try database.each(
                Self.matchesBetween,
                [.text(expression), .integer(stretch.first), .integer(stretch.last)]
            ) { row in
                let match = try row.integer(0)
                while at < pages.count, pages[at] < match { at += 1 }
                if at < pages.count, pages[at] == match { matches.append(match) }
            }
        }
        return matches
    }

    /// Stretches beyond which going to each takes longer than going through all matches.
    private static let mostStretches = 500

    /// The best matches, ranked by the words of `rare`.
    ///
    /// - Parameter matches: all matches, if they are known; otherwise nil.
    private func ranked(
        by rare: String, _ expression: String, _ page: [SQLValue], among matches: [Int64]?
    ) throws -> [Int64] {
        guard rare == expression else {
            return try database.all(
                Self.rankedByRareWords, [.text(rare), .text(expression)] + filter + page
            ) { try $0.integer(0) }
        }
        if let matches {
            return try database.all(
                Self.rankedAmong, [.text(expression), .text(list(matches))] + page
            ) { try $0.integer(0) }
        }
        return try database.all(
            query.hasFilter ? Self.rankedFiltered : Self.ranked, parameters(expression) + page
        ) { try $0.integer(0) }
    }

    private func list(_ leaves: [Int64]) -> String {
        "[" + leaves.map(String.init).joined(separator: ",") + "]"
    }

    /// The texts of pages with marks around what was found, in one pass: each query for one page
    /// would begin by merging the lists of all words that a prefix stands for.
    private func marks(_ expression: String, _ leaves: [Int64]) throws -> [Int64: [MarkedText]] {
        guard let first = leaves.min(), let last = leaves.max() else { return [:] }
        var marks: [Int64: [MarkedText]] = [:]
        try database.each(
            Self.marked, [.text(expression), .integer(first), .integer(last), .text(list(leaves))]
        ) { row in
            marks[try row.integer(0)] = [try row.text(1), try row.text(2), try row.text(3)]
                .map(MarkedText.init)
        }
        return marks
    }

    // MARK: How many, and in which order

    private func count(_ expression: String) throws -> (total: Int, isOpen: Bool) {
        let found =
            try database.first(
                query.hasFilter ? Self.countFilteredMatches : Self.countMatches,
                parameters(expression) + [.integer(most + 1)]
            ) { try $0.int(0) } ?? 0
        return (min(found, most), found > most)
    }

    private func countFiltered() throws -> (total: Int, isOpen: Bool) {
        (try database.first(Self.countFilteredOnly, filter) { try $0.int(0) } ?? 0, false)
    }

    /// The words to rank by, without those on so many pages that they say nothing; nil if none
    /// remain.
    ///
    /// BM25 counts the pages of each word separately, so a word on half of all pages would cost as
    /// much as a search for it.
    private func ranking(_ expression: String) throws -> String? {
        // Without a filter, a single word has been counted already.
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
        _ leaves: [Int64], _ order: SearchResult.Order, count: (total: Int, isOpen: Bool),
        marks: [Int64: [MarkedText]]
    ) throws -> SearchResult {
        let hits = try leaves.compactMap { leaf in try hit(leaf, marks[leaf]) }
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
                // If a text can't be read, the page is shown as it was captured, so that the search
                // does not fail.
                page.frame =
                    (try? JSONDecoder().decode(PageFrame.self, from: Data(frame.utf8)))
                    ?? page.frame
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
                // The text if the hit is in it, otherwise the metadata that has it.
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
