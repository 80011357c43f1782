/// The searched texts of a page as it is in a document now.
struct LeafText: Hashable {
    /// The page's text with hyphenated words joined.
    var body = ""
    /// The hyphenated words as they are printed.
    var broken = ""
    /// The document's title, note and fields, at its first page.
    var about = ""

    init(_ text: SearchText?, about: String) {
        (body, broken, self.about) = (text?.body ?? "", text?.broken ?? "", about)
    }

    init(body: String, broken: String, about: String) {
        (self.body, self.broken, self.about) = (body, broken, about)
    }
}

/// A page as it is in a document now: a row of the table `leaf`.
struct Leaf {
    let document: SeenDocument
    let position: Int
    let page: Int64
    let text: LeafText
    /// The page's frame as stored in the column.
    let frame: String
    /// True if someone corrected its text.
    let isCorrected: Bool
}

/// The pages that a search found, before their contents are read.
struct FoundLeaves {
    /// The leaves' ids, in order.
    var leaves: [Int64] = []
    var order = SearchResult.Order.rank
    /// The number of matches, up to the limit of counting.
    var total = 0
    /// True when there are more than ``total``.
    var isOpen = false
    /// The texts with the matches in them, by leaf: body, broken and about.
    var marks: [Int64: [MarkedText]] = [:]
}

/// The full-text index over the pages as they are now, and the table `leaf` that it indexes.
///
/// The pages of documents in the trash are in the table and not in the index.
protocol PageIndex {
    /// Inserts a leaf's row.
    func insert(_ leaf: Leaf, isIndexed: Bool) throws
    /// Rewrites a leaf's row, except for its place.
    func rewrite(_ id: Int64, as leaf: Leaf, wasIndexed: Bool, isIndexed: Bool) throws
    /// Deletes a leaf's row.
    func remove(_ id: Int64, wasIndexed: Bool) throws
    /// Puts a leaf into the index, or removes it.
    func setIndexed(_ id: Int64, _ isIndexed: Bool) throws
    /// The numbers of documents that the user sees with some of these words on a page, the most
    /// similar first, with their weights.
    ///
    /// - Parameter document: the document that is left out.
    func similar(
        to words: [String], besides document: SeenDocument, limit: Int
    ) throws -> [(document: Int64, weight: Double)]
    /// Finds leaves.
    ///
    /// - Parameter most: the number of matches beyond which leaves are not ranked.
    func search(
        _ query: SearchQuery, limit: Int, offset: Int, ranking most: Int
    ) throws -> FoundLeaves
}
