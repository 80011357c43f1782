/// A page of a document that was passed with ``FrameSink/source(mediaType:size:read:)``.
public struct FrameSource: Codable, Hashable, Sendable {
    /// The document's number within the capture, from 1.
    public var document: Int
    /// The page's number in the document, from 1.
    public var page: Int
    /// The part of the page that the frame shows: left, top, width and height, as fractions of the
    /// visible page's width and height; nil for the whole page.
    public var area: [Double]?

    /// A page of a document; the whole page unless an area is given.
    public init(document: Int, page: Int, area: [Double]? = nil) {
        self.document = document
        self.page = page
        self.area = area
    }

    /// The maximum number of documents in a capture.
    package static let mostDocuments = 100_000
    /// The maximum size of a document in bytes: 512 MiB.
    package static let mostBytes = 512 << 20

    /// The reason why no frame can have such a source; nil for a possible source.
    package var impossibility: String? {
        guard (1...Self.mostDocuments).contains(document), (1...1_000_000).contains(page) else {
            return "page \(page) of document \(document) is impossible"
        }
        guard let area else { return nil }
        let isWithin =
            area.count == 4 && area.allSatisfy { (-0.1...1.1).contains($0) }
            && area[2] > 0 && area[3] > 0
        return isWithin ? nil : "an area of \(area) is impossible"
    }
}
