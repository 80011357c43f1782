import Documents
import ExpectedFailures
import FoundationEssentials

/// Reads the results of a search.
struct SearchHits {
    private let database: any ArchiveDatabase

    init(_ database: any ArchiveDatabase) { self.database = database }

    func result(_ found: FoundLeaves) throws -> SearchResult {
        let hits = try found.leaves.compactMap { leaf in try hit(leaf, found.marks[leaf]) }
        return SearchResult(
            hits: hits, order: found.order, total: max(found.total, hits.count),
            isTotalOpen: found.isOpen)
    }

    private func hit(_ leaf: Int64, _ marked: [MarkedText]?) throws -> SearchHit? {
        let found = try database.first(Self.leaf, [.integer(leaf)]) { row -> SearchHit? in
            guard let document = try database.seen(in: row, owner: 11) else { return nil }
            var page = ReviewedPage(
                id: PageID(rawValue: try row.integer(1)), width: try row.int(8),
                height: try row.int(9))
            let frame = try row.text(6)
            if !frame.isEmpty {
                // If a text can't be read, the page is shown as it was captured, so that the search
                // does not fail.
                page.frame =
                    ofKnownForm { try JSONDecoder().decode(PageFrame.self, from: Data(frame.utf8)) }
                    ?? page.frame
            }
            if try row.integer(7) != 0 {
                let review = try HistoryTable(database).load(document).current
                page.text = review.pages.first { $0.id == page.id }?.text
            }
            let size = page.frame.size
            let marks = try marked ?? [MarkedText(row.text(5))]
            return SearchHit(
                document: document.id, title: try row.text(2),
                type: DocumentType(rawValue: try row.text(3)) ?? .other,
                created: try row.real(4), page: try row.int(10), pageID: page.id,
                width: size.width, height: size.height, words: try words(page, marks),
                // The snippet comes from the text if the hit is there, otherwise from the metadata
                // that has it.
                snippet: (marks.first { !$0.marks.isEmpty } ?? marks[0]).snippet())
        }
        return found ?? nil
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

    private static let leaf: SQLText = """
        SELECT leaf.document, leaf.page, document.title, document.type, document.created, \
        leaf.body, leaf.frame,
            leaf.corrected, page.width, page.height, document.first + leaf.position, \
        document.owner
        FROM leaf JOIN document ON document.id = leaf.document JOIN page ON page.id = leaf.page \
        WHERE leaf.id = ?
        """
}
