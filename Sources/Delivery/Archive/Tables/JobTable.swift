import Documents

/// The jobs' delivered documents that the user sees.
struct JobTable {
    private let database: any ArchiveDatabase

    init(_ database: any ArchiveDatabase) { self.database = database }

    /// The document that a job delivered with this many pages; nil when it delivered none, or that
    /// was deleted for good.
    func document(of job: String, pages: Int) throws -> SeenDocument? {
        try database.first(
            """
            SELECT document.id, document.owner FROM delivery
            JOIN document ON document.id = delivery.document
            WHERE delivery.job = ? AND delivery.pages = ?
            """, [.text(job), .integer(pages)]
        ) { try database.seen(in: $0, owner: 1) } ?? nil
    }

    /// The document that a job delivered last; nil for none.
    func latest(of job: String) throws -> SeenDocument? {
        try database.all(
            """
            SELECT document.id, document.owner FROM delivery
            JOIN document ON document.id = delivery.document
            WHERE delivery.job = ? ORDER BY delivery.pages DESC
            """, [.text(job)]
        ) { try database.seen(in: $0, owner: 1) }.compactMap { $0 }.first
    }

    /// The documents that a job delivered last: one, or those of a split batch in their order.
    func documents(of job: String) throws -> [SeenDocument] {
        // The documents of a batch have the names 'job/1', 'job/2' and so on.
        let rows = try database.all(
            """
            SELECT document.id, document.owner, delivery.job FROM delivery
            JOIN document ON document.id = delivery.document
            WHERE delivery.job = ?1 OR (delivery.job > ?2 AND delivery.job < ?3)
            ORDER BY delivery.pages
            """,
            [.text(job), .text(job + "/"), .text(job + "0")]
        ) { row in try database.seen(in: row, owner: 1).map { (try row.text(2), $0) } }
        let last = Dictionary(rows.compactMap { $0 }) { $1 }
        return last.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
            .map(\.value)
    }

    /// True if a document shows only the pages that it was delivered with: others may have been
    /// merged into it.
    private func hasOnlyItsOwn(_ document: SeenDocument) throws -> Bool {
        let own = Set(try HistoryTable(database).load(document).original.pages.map(\.id.rawValue))
        let shown = try database.all(
            """
            SELECT leaf.page, coalesce(page.plain, page.uncut) FROM leaf JOIN page ON page.id = leaf.page
            WHERE leaf.document = ?
            """, [document.value]
        ) { (try $0.integer(0), $0.isNull(1) ? nil : try $0.integer(1)) }
        return shown.allSatisfy { page, source in
            own.contains(page) || source.map(own.contains) ?? false
        }
    }

    /// Notes a job's document, and puts those it delivered before into the trash.
    ///
    /// This document has all of their pages. A document into which others were merged stays.
    func note(_ document: SeenDocument, of job: String, pages: Int) throws {
        let earlier = try database.all(
            """
            SELECT document.id, document.owner FROM delivery
            JOIN document ON document.id = delivery.document
            WHERE job = ? AND document.trashed IS NULL
            """, [.text(job)]
        ) { try database.seen(in: $0, owner: 1) }
        for old in earlier.compactMap({ $0 }) where try hasOnlyItsOwn(old) {
            try Archive.setTrashed(old, true, database)
        }
        try database.run(
            """
            INSERT INTO delivery (job, pages, document) VALUES (?, ?, ?)
            ON CONFLICT (job, pages) DO UPDATE SET document = excluded.document
            """,
            [.text(job), .integer(pages), document.value])
    }
}

extension Archive {
    /// The documents that a job delivered last, of those that the user sees: one, or those of a
    /// split batch in their order; none for an unknown job.
    ///
    /// - Throws: ``ArchiveError``.
    public func documents(of job: String) throws(ArchiveError) -> [DocumentID] {
        try access { database in
            try JobTable(database).documents(of: job).map(\.id)
        }
    }
}
