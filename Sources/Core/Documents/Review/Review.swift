/// A document under review: its metadata and its pages, with all changes.
///
/// Only ``ReviewAction``s change a document; each gives a new value (``applying(_:)``) and leaves
/// the old one unchanged. These invariants hold after any actions in any order: there is at least
/// one page; no page, tag or entry occurs twice, nor a field's name within its list; selected pages
/// and entries exist; a crop is within its picture; a session's totals are those of its cards.
public struct Review: Codable, Hashable, Sendable {
    /// The document's title.
    public var title: String
    /// The document's type.
    public var type: DocumentType
    /// The user's note; empty for none.
    public var note: String
    /// The tags, in the order in which they were added.
    public var tags: [String]
    /// The facts about the document.
    public var fields: [Field]
    /// The items that the document lists.
    public var entries: [Entry]
    /// The pages in order.
    public var pages: [ReviewedPage]
    /// The number of the first page; 1 unless the pages were renumbered.
    public var firstNumber: Int
    /// The selected pages.
    public var selectedPages: Set<PageID>
    /// The selected entries.
    public var selectedEntries: Set<Int>
    /// True when a user has reviewed and saved the document, and only selections have changed
    /// since.
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

    /// Reads a document; refuses a number of the first page outside ``firstNumbers``.
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

    /// The numbers that the first page may have.
    static let firstNumbers = 1...1_000_000

    /// The page with that number, counted from ``firstNumber``.
    public func page(number: Int) -> ReviewedPage? {
        let (index, overflow) = number.subtractingReportingOverflow(firstNumber)
        return !overflow && pages.indices.contains(index) ? pages[index] : nil
    }

    /// The page's number; nil when it is not in the document.
    public func number(of page: PageID) -> Int? {
        pages.firstIndex { $0.id == page }.map { $0 + firstNumber }
    }
}

/// A page under review: its id and its changes.
public struct ReviewedPage: Codable, Hashable, Sendable {
    /// The page's permanent id.
    public let id: PageID
    /// The part of the captured picture that the page shows, and its turn.
    public var frame: PageFrame
    /// The corrected text, in pixels of the captured picture; nil for the text that was read.
    public var text: PageText?

    /// A page as it was captured.
    public init(id: PageID, width: Int, height: Int) {
        self.id = id
        frame = PageFrame(width: width, height: height)
    }
}
