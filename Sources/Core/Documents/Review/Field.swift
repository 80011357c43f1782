/// A fact about a document or one of its entries, such as a serial number or a price.
public struct Field: Codable, Hashable, Sendable {
    /// Its name, such as `serial`; unique within its document or entry.
    public var name: String
    /// Its value, as text.
    public var value: String
    /// Its source, such as a sink's name; nil for the user.
    public var source: String?
    /// How sure its source is, 0…1; nil where it does not say.
    public var confidence: Double?
    /// Where on its page it was read, in pixels of the captured picture; nil if it has no place.
    public var box: Box?
    /// The page on which it was read; nil for none.
    public var page: PageID?

    /// A field of that name; the user's unless a source is given, and without a place.
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

/// A thing that a document lists, such as an item on an invoice, with its fields.
public struct Entry: Codable, Hashable, Sendable {
    /// Its id, unique within its document.
    public var id: Int
    /// The page it is on; nil if unknown.
    public var page: PageID?
    /// What is known about it.
    public var fields: [Field]

    /// An entry; on no page in particular and without fields unless given.
    public init(id: Int, page: PageID? = nil, fields: [Field] = []) {
        self.id = id
        self.page = page
        self.fields = fields
    }

    /// Reads an entry; a number after which no other can follow is refused.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(.id, in: 0...1_000_000_000)
        page = try container.decodeIfPresent(PageID.self, forKey: .page)
        fields = try container.decode([Field].self, forKey: .fields)
    }
}

/// A page's permanent id, whichever document it is in and wherever it is there.
public struct PageID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: Int64

    /// The page of that number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// By number: the page that came first is less.
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
