public import Documents

/// A captured page on its way into the archive.
public struct NewPage: Sendable {
    /// What is known of it; its number is its place in the document.
    public var page: Page
    /// Its picture, as a file.
    public var image: [UInt8]
    /// What sort of file that is, such as `image/jpeg`.
    public var media: String
    /// A small JPEG of it; nil for none.
    public var thumbnail: [UInt8]?

    /// A page with its picture; without a thumbnail unless given.
    public init(page: Page, image: [UInt8], media: String, thumbnail: [UInt8]? = nil) {
        self.page = page
        self.image = image
        self.media = media
        self.thumbnail = thumbnail
    }
}
