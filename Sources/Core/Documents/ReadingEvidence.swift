/// The evidence for and against the text that was read on a page.
public struct ReadingEvidence: Codable, Hashable, Sendable {
    /// The readers whose words are in the text, the first one first, such as `tesseract`.
    public var readers: [String]
    /// The mean confidence of the words, weighted by their length, without the two least sure ones,
    /// 0…1.
    public var sureness: Double
    /// The share of the shapes like letters where no word was read, 0…1; nil when nobody counted.
    public var unread: Double?
    /// The share of the letters that two readers agree on, 0…1; nil if only one has read.
    public var agreement: Double?

    /// Evidence; what is nil is not known.
    public init(
        readers: [String], sureness: Double, unread: Double? = nil, agreement: Double? = nil
    ) {
        self.readers = readers
        self.sureness = sureness
        self.unread = unread
        self.agreement = agreement
    }

    /// The numbers by name, for a step's report.
    public var measurements: [String: Double] {
        var numbers = ["sureness": sureness]
        numbers["unread"] = unread
        numbers["agreement"] = agreement
        return numbers
    }
}

extension Word {
    /// Whether the reader is so unsure that somebody should look at the word.
    ///
    /// Words of print are read with 0.8 and more.
    public var isDoubtful: Bool { confidence < 0.6 }
}
