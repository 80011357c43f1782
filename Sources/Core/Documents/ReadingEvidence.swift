/// The evidence for and against the text that was read on a page.
public struct ReadingEvidence: Codable, Hashable, Sendable {
    /// The readers whose words the text contains, the first reader first, such as `tesseract`.
    public var readers: [String]
    /// The mean confidence of the words, weighted by their length, without the two least certain
    /// ones, 0…1.
    public var sureness: Double
    /// The part of the letter-like shapes where no word was read, 0…1; nil when they were not
    /// counted.
    public var unread: Double?
    /// The part of the first reader's words that are in the language's dictionary, 0…1; nil when too
    /// few were looked up.
    ///
    /// Words with fewer than three letters or other characters don't count.
    public var known: Double?
    /// The part of the letters on which two readers agree, 0…1; nil if there was only one reader.
    public var agreement: Double?
    /// The parts of the page whose words come from another reading of only that part; nil for
    /// none.
    public var regions: [RegionReading]?

    /// Evidence; nil values are unknown.
    public init(
        readers: [String], sureness: Double, unread: Double? = nil, known: Double? = nil,
        agreement: Double? = nil, regions: [RegionReading]? = nil
    ) {
        self.readers = readers
        self.sureness = sureness
        self.unread = unread
        self.known = known
        self.agreement = agreement
        self.regions = regions
    }

    /// The numbers by name, for a step's report.
    public var measurements: [String: Double] {
        var numbers = ["sureness": sureness]
        numbers["unread"] = unread
        numbers["known"] = known
        numbers["agreement"] = agreement
        numbers["regions"] = regions.map { Double($0.count) }
        return numbers
    }
}

/// A part of a page that was read again.
public struct RegionReading: Codable, Hashable, Sendable {
    /// The part's place on the page.
    public var box: Box
    /// The way in words, such as `inverted by tesseract`.
    public var way: String

    /// A part, and how it was read.
    public init(box: Box, way: String) {
        self.box = box
        self.way = way
    }

    /// The way and the place in words, such as `inverted by tesseract (400 × 60 at 0, 120)`.
    public var description: String {
        "\(way) (\(box.width) × \(box.height) at \(box.x), \(box.y))"
    }
}

extension Word {
    /// True if the reader is so uncertain that a person should check the word.
    ///
    /// Readers give printed words at least 0.8.
    public var isDoubtful: Bool { confidence < 0.6 }
}
