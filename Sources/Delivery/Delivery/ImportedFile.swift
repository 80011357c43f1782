/// A file that pages were imported from, and one of its pages.
public struct ImportedFile: Hashable, Sendable {
    /// The file's path, which stays until the document is finished.
    public var path: String
    /// The file's name, with its extension.
    public var name: String
    /// The media type, such as `application/pdf`.
    public var media: String
    /// The page's number in it, from 1.
    public var page: Int

    /// A page of a file.
    public init(path: String, name: String, media: String, page: Int) {
        self.path = path
        self.name = name
        self.media = media
        self.page = page
    }
}
