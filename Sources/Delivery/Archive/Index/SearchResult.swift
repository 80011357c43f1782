public import Documents

/// The result of a search.
public struct SearchResult: Sendable {
    /// The order of the hits.
    public enum Order: String, Sendable {
        /// The best first: BM25, in which the title counts most.
        case rank
        /// The latest added first, when too many pages match for a meaningful ranking.
        case newest
    }

    /// The first hits.
    public let hits: [SearchHit]
    /// Their order.
    public let order: Order
    /// The number of matching pages, up to the limit of counting.
    public let total: Int
    /// True when there are more matches than ``total``.
    public let isTotalOpen: Bool
}

/// A page on which something was found.
public struct SearchHit: Sendable {
    /// The document.
    public let document: DocumentID
    /// Its title.
    public let title: String
    /// The document's type.
    public let type: DocumentType
    /// The time of its scan, as seconds since 1970-01-01T00:00:00Z.
    public let created: Double
    /// The page's number.
    public let page: Int
    /// The page's permanent id.
    public let pageID: PageID
    /// The width of the page as it is shown, in pixels.
    public let width: Int
    /// The height of the page as it is shown, in pixels.
    public let height: Int
    /// The words that match with their places on the page as it is shown.
    public let words: [Word]
    /// A part of the text with the hits marked.
    public let snippet: [SnippetPart]
}

/// A piece of a snippet.
public struct SnippetPart: Codable, Hashable, Sendable {
    /// The text, on one line.
    public let text: String
    /// True for text that was searched for.
    public let isMatch: Bool
}
