import Documents

/// A running search in the index of FTS5.
struct SQLiteSearch {
    private let query: SearchQuery
    /// The number of matches beyond which pages are not ranked.
    private let most: Int
    private let database: Connection
    private let filter: [SQLValue]
    private let breadth: Breadth

    /// The number of pages that the filter leaves, roughly.
    private enum Breadth {
        /// There is no filter.
        case all
        /// The filter leaves too many pages to list them first: matches are examined one by one
        /// until enough are found.
        case wide
        /// The filter leaves so few pages that they are listed first: their ids in order, at least
        /// one.
        case narrow([Int64])
        /// The filter leaves no page.
        case none
    }

    init(_ query: SearchQuery, _ most: Int, _ database: Connection) throws {
        self.most = most
        self.query = query
        self.database = database
        filter = [
            .text(query.type?.rawValue), .real(query.since), .real(query.before),
            .text(try wantedList(tags: query.tags, fields: query.fields, for: .sqlite)),
            .text(query.owner),
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

    func run(limit: Int, offset: Int) throws -> FoundLeaves {
        let page: [SQLValue] = [.integer(limit), .integer(offset)]
        guard let expression = query.expression else {
            let leaves = try database.all(Self.filteredOnly, filter + page) { try $0.integer(0) }
            return found(leaves, .newest, count: try countFiltered(), marks: [:])
        }
        switch breadth {
        case .none: return found([], .rank, count: (0, false), marks: [:])
        case .narrow(let pages):
            let matches = try matches(expression, among: pages)
            guard !matches.isEmpty else {
                return found([], .rank, count: (0, false), marks: [:])
            }
            let ranking = try ranking(expression)
            let leaves =
                try ranking.map { try ranked(by: $0, expression, page, among: matches) }
                ?? Array(matches.reversed().dropFirst(offset).prefix(limit))
            return found(
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
            return found(
                leaves, ranking == nil ? .newest : .rank, count: count,
                marks: try marks(expression, leaves))
        }
    }

    private func found(
        _ leaves: [Int64], _ order: SearchResult.Order, count: (total: Int, isOpen: Bool),
        marks: [Int64: [MarkedText]]
    ) -> FoundLeaves {
        FoundLeaves(
            leaves: leaves, order: order, total: count.total, isOpen: count.isOpen, marks: marks)
    }

    /// The expression as a parameter, and the filter's parameters if there is a filter.
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

    /// The number of stretches beyond which going to each takes longer than going through all
    /// matches.
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
                Self.rankedAmong, [.text(expression), .text(numberList(matches))] + page
            ) { try $0.integer(0) }
        }
        return try database.all(
            query.hasFilter ? Self.rankedFiltered : Self.ranked, parameters(expression) + page
        ) { try $0.integer(0) }
    }

    /// The texts of pages with marks around the matches, in one pass: each query for one page
    /// would begin by merging the lists of all words that a prefix stands for.
    private func marks(_ expression: String, _ leaves: [Int64]) throws -> [Int64: [MarkedText]] {
        guard let first = leaves.min(), let last = leaves.max() else { return [:] }
        var marks: [Int64: [MarkedText]] = [:]
        try database.each(
            Self.marked,
            [.text(expression), .integer(first), .integer(last), .text(numberList(leaves))]
        ) { row in
            marks[try row.integer(0)] = [try row.text(1), try row.text(2), try row.text(3)]
                .map(MarkedText.init)
        }
        return marks
    }

    // MARK: Limits and order

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

    /// The words to rank by, without those on too many pages to matter; nil if none
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
                    [.text(phrase.expression), .integer(SearchQuery.rankedMatches + 1)]
                ) { try $0.int(0) } ?? 0
            return found <= most
        }
        if rare.count == query.wanted.count { return expression }
        return rare.isEmpty ? nil : rare.map(\.expression).joined(separator: " AND ")
    }
}
