/// A fact about a document or one of its entries, such as a serial number or a price.
public struct Field: Codable, Hashable, Sendable {
    /// The field's name, such as `serial`; unique within its document or entry.
    public var name: String
    /// The field's value, as text.
    public var value: String
    /// The field's source, such as a sink's name; nil for the user.
    public var source: String?
    /// The source's confidence, 0…1; nil if the source gives none.
    public var confidence: Double?
    /// The place where the value was read, in pixels of the captured picture; nil if it has none.
    public var box: Box?
    /// The page on which the value was read; nil for none.
    public var page: PageID?

    /// A field called `name`; the user's unless a source is given, and without a place.
    public init(
        name: String, value: String, source: String? = nil, confidence: Double? = nil,
        box: Box? = nil, page: PageID? = nil
    ) {
        self.name = name
        self.value = value
        self.source = source
        self.confidence = confidence
        self.box = box
        self.page = page
    }
}

/// An item that a document lists, such as a line of an invoice, with its fields.
public struct Entry: Codable, Hashable, Sendable {
    /// The entry's id, unique within its document.
    public var id: Int
    /// The entry's page; nil if unknown.
    public var page: PageID?
    /// The facts about the entry.
    public var fields: [Field]

    /// An entry, by default without a page and without fields.
    public init(id: Int, page: PageID? = nil, fields: [Field] = []) {
        self.id = id
        self.page = page
        self.fields = fields
    }

    /// Reads an entry; refuses the highest possible number, after which no other could follow.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(.id, in: 0...1_000_000_000)
        page = try container.decodeIfPresent(PageID.self, forKey: .page)
        fields = try container.decode([Field].self, forKey: .fields)
    }
}

/// A page's permanent id, which is the same in any document and at any place in it.
public struct PageID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: Int64

    /// The page with that number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The page that came first is less.
    public static func < (left: PageID, right: PageID) -> Bool { left.rawValue < right.rawValue }
}

extension PageID: Codable {
    /// Reads the bare number.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes the bare number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
