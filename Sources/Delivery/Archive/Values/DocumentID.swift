/// A document's permanent id; never reused once it is gone.
public struct DocumentID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: Int64

    /// The document of that number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The document that was added first is less.
    public static func < (left: DocumentID, right: DocumentID) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension DocumentID: CustomStringConvertible, Codable {
    /// The bare number.
    public var description: String { String(rawValue) }

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
