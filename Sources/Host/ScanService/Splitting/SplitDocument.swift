/// One of the documents that a batch was split into.
public struct SplitDocument: Codable, Hashable, Sendable {
    /// Its number in the batch, from 1.
    public var number: Int
    /// The name from a barcode; nil for none.
    public var name: String?
    /// How many pages it has, blank ones included.
    public var pages: Int
    /// Where it is: paths of files, and its number in the archive.
    public var locations: [String]

    init(number: Int, name: String?, pages: Int, locations: [String]) {
        self.number = number
        self.name = name
        self.pages = pages
        self.locations = locations
    }
}
