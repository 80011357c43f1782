/// A document under review: its metadata, and its pages as they will be.
///
/// Only ``ReviewAction``s change it, each of which gives a new value (``applying(_:)``) and leaves
/// this one as it was. Whatever actions are applied in whatever order, these invariants hold: there
/// is at least one page; no page, tag or entry occurs twice, nor a field's name within its list;
/// what is selected exists; a crop is within its picture; a session's totals are those of its
/// cards.
public struct Review: Codable, Hashable, Sendable {
    /// The document's title.
    public var title: String
    /// What sort of document it is.
    public var type: DocumentType
    /// A note of the user's; empty for none.
    public var note: String
    /// Its tags, in the order in which they were given.
    public var tags: [String]
    /// What is known about it.
    public var fields: [Field]
    /// What it lists.
    public var entries: [Entry]
    /// Its pages in order.
    public var pages: [ReviewedPage]
    /// The number of its first page; 1 unless it was renumbered.
    public var firstNumber: Int
    /// The pages that are selected.
    public var selectedPages: Set<PageID>
    /// The entries that are selected.
    public var selectedEntries: Set<Int>
    /// True when a user has reviewed and saved it, and only selections were changed since.
    public var isSaved: Bool

    /// A document as it was captured.
    public init(title: String, type: DocumentType = .other, pages: [ReviewedPage]) {
        self.title = title
        self.type = type
        self.pages = pages
        note = ""
        tags = []
        fields = []
        entries = []
        firstNumber = 1
        selectedPages = []
        selectedEntries = []
        isSaved = false
    }

    /// Reads a document; a first page that can't be counted from is refused.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        type = try values.decode(DocumentType.self, forKey: .type)
        note = try values.decode(String.self, forKey: .note)
        tags = try values.decode([String].self, forKey: .tags)
        fields = try values.decode([Field].self, forKey: .fields)
        entries = try values.decode([Entry].self, forKey: .entries)
        pages = try values.decode([ReviewedPage].self, forKey: .pages)
        firstNumber = try values.decode(.firstNumber, in: Self.firstNumbers)
        selectedPages = try values.decode(Set<PageID>.self, forKey: .selectedPages)
        selectedEntries = try values.decode(Set<Int>.self, forKey: .selectedEntries)
        isSaved = try values.decode(Bool.self, forKey: .isSaved)
    }

    /// The numbers that a first page may have.
    static let firstNumbers = 1...1_000_000

    /// The page of that number, counted from ``firstNumber``.
    public func page(number: Int) -> ReviewedPage? {
        let (index, overflow) = number.subtractingReportingOverflow(firstNumber)
        return !overflow && pages.indices.contains(index) ? pages[index] : nil
    }

    /// The page's number; nil when it is not in the document.
    public func number(of page: PageID) -> Int? {
        pages.firstIndex { $0.id == page }.map { $0 + firstNumber }
    }
}

/// A page under review: which captured page it is, and how it was changed.
public struct ReviewedPage: Codable, Hashable, Sendable {
    /// Its permanent id.
    public let id: PageID
    /// Its part of the captured picture, and its turn.
    public var frame: PageFrame
    /// Its corrected text, in pixels of the captured picture; nil to use what was read.
    public var text: PageText?

    /// A page as it was captured.
    public init(id: PageID, width: Int, height: Int) {
        self.id = id
        frame = PageFrame(width: width, height: height)
    }
}
