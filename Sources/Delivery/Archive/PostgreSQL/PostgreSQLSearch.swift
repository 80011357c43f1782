import Documents

/// A running search in the index of PostgreSQL.
///
/// A few matches are ranked. Of many matches, the latest come first, from one
/// partition after another; they are counted only up to the number that is ranked.
struct PostgreSQLSearch {
    private let query: SearchQuery
    /// The number of matches beyond which pages are not ranked.
    private let most: Int
    private let database: PostgreSQLDatabase
    private let tokenizer: TextTokenizer
    private let filter: [SQLValue]

    init(_ query: SearchQuery, _ most: Int, _ database: PostgreSQLDatabase) throws {
        self.query = query
        self.most = most
        self.database = database
        tokenizer = try database.tokenizer()
        filter = [
            .text(query.type?.rawValue), .real(query.since), .real(query.before),
            .text(try wantedList(tags: query.tags, fields: query.fields, for: .postgreSQL)),
            .text(query.owner),
        ]
    }

    func run(limit: Int, offset: Int) throws -> FoundLeaves {
        let page: [SQLValue] = [.integer(limit), .integer(offset)]
        guard !query.wanted.isEmpty else {
            let leaves = try database.all(Self.filteredOnly, filter + page) { try $0.integer(0) }
            let total = try database.first(Self.countFilteredOnly, filter) { try $0.int(0) } ?? 0
            return FoundLeaves(leaves: leaves, order: .newest, total: total)
        }
        let wanted = query.wanted.map { TokenPhrase($0, tokenizer) }
        let unwanted = query.unwanted.map { TokenPhrase($0, tokenizer) }
        guard let expression = Lexemes.query(wanted: wanted, unwanted: unwanted) else {
            return FoundLeaves()
        }
        let parameters = [.text(expression)] + (query.hasFilter ? filter : [])
        let count =
            try database.first(
                query.hasFilter ? Self.countFiltered : Self.count,
                parameters + [.integer(most + 1)]
            ) { try $0.int(0) } ?? 0
        let isOpen = count > most
        let leaves =
            if isOpen {
                try newest(parameters, limit: limit, offset: offset)
            } else if count > 0 {
                try database.all(
                    query.hasFilter ? Self.rankedFiltered : Self.ranked, parameters + page
                ) { try $0.integer(0) }
            } else {
                [Int64]()
            }
        return FoundLeaves(
            leaves: leaves, order: isOpen ? .newest : .rank, total: min(count, most),
            isOpen: isOpen, marks: try marks(leaves, wanted))
    }

    /// The latest matches, from one month after another until there are enough.
    ///
    /// The planner expects few pages with a phrase. It would find and sort those of all months.
    private func newest(
        _ parameters: [SQLValue], limit: Int, offset: Int
    ) throws -> [Int64] {
        var leaves: [Int64] = []
        for month in try database.all(Self.months, [], { try $0.integer(0) }) {
            let missing = limit + offset - leaves.count
            guard missing > 0 else { break }
            let range: [SQLValue] = [.integer(month << 40), .integer((month + 1) << 40)]
            leaves += try database.all(
                query.hasFilter ? Self.newestFiltered : Self.newest,
                parameters + range + [.integer(missing)]
            ) { try $0.integer(0) }
        }
        return Array(leaves.dropFirst(offset))
    }

    private func marks(
        _ leaves: [Int64], _ phrases: [TokenPhrase]
    ) throws -> [Int64: [MarkedText]] {
        var marks: [Int64: [MarkedText]] = [:]
        try database.each(Self.texts, [.text(numberList(leaves))]) { row in
            marks[try row.integer(0)] = try (1...3).map {
                MarkedText(try row.text($0), phrases, tokenizer)
            }
        }
        return marks
    }

    // MARK: Statements

    // A page's id begins with the month in which its document was scanned, so a filter by date
    // leaves partitions out.

    private static let count: SQLText = """
        SELECT count(*) FROM (SELECT 1 FROM leaf WHERE tokens @@ ?1::tsquery LIMIT ?2) AS found
        """
    private static let months: SQLText = "SELECT month FROM room ORDER BY month DESC"
    private static let newest: SQLText = """
        SELECT id FROM leaf WHERE tokens @@ ?1::tsquery AND id >= ?2 AND id < ?3
        ORDER BY id DESC LIMIT ?4
        """
    private static let ranked: SQLText = """
        SELECT id FROM leaf WHERE tokens @@ ?1::tsquery
        ORDER BY ts_rank('{0.25,0.25,0.25,1}', tokens, ?1::tsquery, 1) DESC, id DESC
        LIMIT ?2 OFFSET ?3
        """
    private static let texts: SQLText = """
        SELECT id, body, broken, about FROM leaf
        WHERE id IN (SELECT value::bigint FROM jsonb_array_elements_text(?1::jsonb))
        """
    private static let countFiltered: SQLText = """
        SELECT count(*) FROM (
            SELECT 1 FROM leaf JOIN document ON document.id = leaf.document
            WHERE leaf.tokens @@ ?1::tsquery AND (?2 IS NULL OR document.type = ?2)
                AND (?3 IS NULL OR (document.created >= ?3 AND leaf.id >= month(?3) << 40))
                AND (?4 IS NULL OR (document.created < ?4 AND leaf.id < (month(?4) + 1) << 40))
                AND (?5 = '[]' OR finds_all(document.id, ?5::jsonb))
                AND (?6 IS NULL OR document.owner IS NULL OR document.owner = ?6)
            LIMIT ?7) AS found
        """
    private static let newestFiltered: SQLText = """
        SELECT leaf.id FROM leaf JOIN document ON document.id = leaf.document
        WHERE leaf.tokens @@ ?1::tsquery AND (?2 IS NULL OR document.type = ?2)
            AND (?3 IS NULL OR (document.created >= ?3 AND leaf.id >= month(?3) << 40))
            AND (?4 IS NULL OR (document.created < ?4 AND leaf.id < (month(?4) + 1) << 40))
            AND (?5 = '[]' OR finds_all(document.id, ?5::jsonb))
            AND (?6 IS NULL OR document.owner IS NULL OR document.owner = ?6)
            AND leaf.id >= ?7 AND leaf.id < ?8
        ORDER BY leaf.id DESC LIMIT ?9
        """
    private static let rankedFiltered: SQLText = """
        SELECT leaf.id FROM leaf JOIN document ON document.id = leaf.document
        WHERE leaf.tokens @@ ?1::tsquery AND (?2 IS NULL OR document.type = ?2)
            AND (?3 IS NULL OR (document.created >= ?3 AND leaf.id >= month(?3) << 40))
            AND (?4 IS NULL OR (document.created < ?4 AND leaf.id < (month(?4) + 1) << 40))
            AND (?5 = '[]' OR finds_all(document.id, ?5::jsonb))
            AND (?6 IS NULL OR document.owner IS NULL OR document.owner = ?6)
        ORDER BY ts_rank('{0.25,0.25,0.25,1}', leaf.tokens, ?1::tsquery, 1) DESC, leaf.id DESC
        LIMIT ?7 OFFSET ?8
        """
    private static let filteredOnly: SQLText = """
        SELECT leaf.id FROM document JOIN leaf ON leaf.document = document.id AND leaf.position = 0
        WHERE document.trashed IS NULL AND (?1 IS NULL OR document.type = ?1)
            AND (?2 IS NULL OR document.created >= ?2) AND (?3 IS NULL OR document.created < ?3)
            AND (?4 = '[]' OR finds_all(document.id, ?4::jsonb))
            AND (?5 IS NULL OR document.owner IS NULL OR document.owner = ?5)
        ORDER BY leaf.id DESC LIMIT ?6 OFFSET ?7
        """
    private static let countFilteredOnly: SQLText = """
        SELECT count(*) FROM document
        WHERE document.trashed IS NULL AND (?1 IS NULL OR document.type = ?1)
            AND (?2 IS NULL OR document.created >= ?2) AND (?3 IS NULL OR document.created < ?3)
            AND (?4 = '[]' OR finds_all(document.id, ?4::jsonb))
            AND (?5 IS NULL OR document.owner IS NULL OR document.owner = ?5)
        """
}
