/// The index of PostgreSQL (GIN over `tsvector`), with tokens of our own.
struct PostgreSQLPageIndex: PageIndex {
    private let database: PostgreSQLDatabase

    init(_ database: PostgreSQLDatabase) { self.database = database }

    private func tokens(_ text: LeafText, isIndexed: Bool) throws -> SQLValue {
        try .text(isIndexed ? Lexemes.vector(text, database.tokenizer()) : nil)
    }

    func insert(_ leaf: Leaf, isIndexed: Bool) throws {
        try database.run(
            """
            INSERT INTO leaf (id, document, position, page, body, broken, about, frame, corrected, \
            indexed, tokens)
            SELECT (month(created) << 40) + nextval('leaf_number'), id, ?2, ?3, ?4, ?5, ?6, ?7, \
            ?8, ?9, ?10::tsvector FROM document WHERE id = ?1
            """,
            [
                leaf.document.value, .integer(leaf.position), .integer(leaf.page),
                .text(leaf.text.body), .text(leaf.text.broken), .text(leaf.text.about),
                .text(leaf.frame), .integer(leaf.isCorrected ? 1 : 0),
                .integer(isIndexed ? 1 : 0), tokens(leaf.text, isIndexed: isIndexed),
            ])
    }

    func rewrite(_ id: Int64, as leaf: Leaf, wasIndexed: Bool, isIndexed: Bool) throws {
        try database.run(
            """
            UPDATE leaf SET body = ?, broken = ?, about = ?, frame = ?, corrected = ?, \
            indexed = ?, tokens = ?::tsvector WHERE id = ?
            """,
            [
                .text(leaf.text.body), .text(leaf.text.broken), .text(leaf.text.about),
                .text(leaf.frame), .integer(leaf.isCorrected ? 1 : 0),
                .integer(isIndexed ? 1 : 0), tokens(leaf.text, isIndexed: isIndexed),
                .integer(id),
            ])
    }

    func remove(_ id: Int64, wasIndexed: Bool) throws {
        try database.run("DELETE FROM leaf WHERE id = ?", [.integer(id)])
    }

    func setIndexed(_ id: Int64, _ isIndexed: Bool) throws {
        let text = try database.first(
            "SELECT body, broken, about FROM leaf WHERE id = ?", [.integer(id)]
        ) { LeafText(body: try $0.text(0), broken: try $0.text(1), about: try $0.text(2)) }
        guard let text else { return }
        try database.run(
            "UPDATE leaf SET indexed = ?, tokens = ?::tsvector WHERE id = ?",
            [
                .integer(isIndexed ? 1 : 0), tokens(text, isIndexed: isIndexed), .integer(id),
            ])
    }

    /// The pages with most of the words, among the latest pages with any of them.
    func similar(
        to words: [String], besides document: SeenDocument, limit: Int
    ) throws -> [(document: Int64, weight: Double)] {
        let tokenizer = try database.tokenizer()
        let all = words.compactMap { word in
            Lexemes.query(
                wanted: [TokenPhrase(.init(text: word, isPrefix: false), tokenizer)], unwanted: [])
        }
        return try database.all(
            """
            SELECT document, max(weight)::float8 FROM (
                SELECT document, ts_rank(tokens, ?1::tsquery, 1) AS weight FROM leaf
                WHERE tokens @@ ?1::tsquery AND document <> ?2
                    AND (?4 IS NULL OR EXISTS (
                        SELECT 1 FROM document AS other WHERE other.id = leaf.document
                            AND (other.owner IS NULL OR other.owner = ?4)))
                ORDER BY id DESC LIMIT 1000
            ) AS found GROUP BY document ORDER BY 2 DESC, document LIMIT ?3
            """,
            [
                .text(all.joined(separator: " | ")), document.value, .integer(limit),
                database.ownName,
            ]
        ) { (document: try $0.integer(0), weight: try $0.real(1)) }
    }

    func search(
        _ query: SearchQuery, limit: Int, offset: Int, ranking most: Int
    ) throws -> FoundLeaves {
        try PostgreSQLSearch(query, most, database).run(limit: limit, offset: offset)
    }
}
