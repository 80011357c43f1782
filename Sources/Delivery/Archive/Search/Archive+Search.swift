extension Archive {
    /// Searches the pages of all documents that are not in the trash.
    ///
    ///     try archive.search("\"total due\" invo* -paid type:invoice since:2026")
    ///
    /// - Parameters:
    ///   - text: The query; see ``SearchQuery``.
    ///   - limit: The maximum number of hits to return.
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
        try search(query, limit: limit, offset: offset, ranking: SearchQuery.rankedMatches)
    }

    /// Searches with another limit for ranking, for tests.
    func search(
        _ query: SearchQuery, limit: Int, offset: Int, ranking most: Int
    ) throws(ArchiveError) -> SearchResult {
        try access { database in
            // Counting, ranking and reading use the same state of the database.
            try database.read {
                var query = query
                query.owner = database.ownerFilter
                let found = try database.index.search(
                    query, limit: max(0, limit), offset: max(0, offset), ranking: most)
                return try SearchHits(database).result(found)
            }
        }
    }
}
