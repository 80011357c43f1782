/// A numbered or titled part of a document's text, such as a recipe in a cookbook.
public struct FoundEntry: Codable, Hashable, Sendable {
    /// A part of a page with text of the entry.
    public struct Place: Codable, Hashable, Sendable {
        /// The page's number in its document.
        public var page: Int
        /// The part's rectangle on the page; one for each column.
        public var box: Box

        /// A part of a page.
        public init(page: Int, box: Box) {
            self.page = page
            self.box = box
        }
    }

    /// The entry's number without brackets and periods, such as `12`, `IV` or `a`; empty for
    /// none.
    public var number: String
    /// The entry's title: its first line or sentence.
    public var title: String
    /// The entry's whole text with its title but without its number; a newline ends a paragraph.
    public var text: String
    /// The numbers of the entry's pages, in order; at least one.
    public var pages: [Int]
    /// The entry's parts of these pages, in reading order.
    public var places: [Place]
    /// The confidence, 0…1, that the entry begins there and has this text.
    public var confidence: Double
    /// Further facts about the entry, such as a card's value.
    public var fields: [Field]

    /// An entry, by default without further fields.
    public init(
        number: String, title: String, text: String, pages: [Int], places: [Place],
        confidence: Double, fields: [Field] = []
    ) {
        self.fields = fields
        self.number = number
        self.title = title
        self.text = text
        self.pages = pages
        self.places = places
        self.confidence = confidence
    }
}

/// The findings in a whole document, after all of its pages were read.
public struct DocumentFindings: Codable, Hashable, Sendable {
    /// The entries, in order.
    public var entries: [FoundEntry]
    /// Facts about the whole document, such as its number of cards.
    public var fields: [Field]

    /// Findings; none by default.
    public init(entries: [FoundEntry] = [], fields: [Field] = []) {
        self.entries = entries
        self.fields = fields
    }

    /// True when nothing was found.
    public var isEmpty: Bool { entries.isEmpty && fields.isEmpty }
}
