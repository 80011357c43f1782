/// A numbered or titled piece that was read in a document, such as a recipe of a cookbook.
public struct FoundEntry: Codable, Hashable, Sendable {
    /// A part of a page that has text of the entry.
    public struct Place: Codable, Hashable, Sendable {
        /// The page's number in its document.
        public var page: Int
        /// Where it is there, column by column.
        public var box: Box

        /// A part of a page.
        public init(page: Int, box: Box) {
            self.page = page
            self.box = box
        }
    }

    /// Its number without brackets and full stops, such as `12`, `IV` or `a`; empty where it has
    /// none.
    public var number: String
    /// Its title: its first line or sentence.
    public var title: String
    /// All of its text except its number, including its title; a newline ends a paragraph.
    public var text: String
    /// The numbers of its pages, in order; at least one.
    public var pages: [Int]
    /// Its places on them, in reading order.
    public var places: [Place]
    /// How sure it is that the entry begins there and has this text, 0…1.
    public var confidence: Double
    /// What else is known about it, such as a card's value.
    public var fields: [Field]

    /// An entry; without further fields unless given.
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

/// What was found in a document as a whole, after all of its pages were read.
public struct DocumentFindings: Codable, Hashable, Sendable {
    /// The pieces it consists of, in order.
    public var entries: [FoundEntry]
    /// Facts about the whole document, such as how many cards it has.
    public var fields: [Field]

    /// Findings; none unless given.
    public init(entries: [FoundEntry] = [], fields: [Field] = []) {
        self.entries = entries
        self.fields = fields
    }

    /// True when nothing was found.
    public var isEmpty: Bool { entries.isEmpty && fields.isEmpty }
}
