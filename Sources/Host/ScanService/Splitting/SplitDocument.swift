/// A document of a split batch.
public struct SplitDocument: Codable, Hashable, Sendable {
    /// The document's number in the batch, from 1.
    public var number: Int
    /// The name from a barcode; nil for none.
    public var name: String?
    /// The number of pages, including blank ones.
    public var pages: Int
    /// The document's places: paths of files, and its number in the archive.
    public var locations: [String]
}
