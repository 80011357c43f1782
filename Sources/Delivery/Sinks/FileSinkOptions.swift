/// How a document is written to a file.
public struct FileSinkOptions: Hashable, Sendable {
    /// Quality of JPEG pictures, 1…100, in a PDF and in `.jpg` files; 75 unless said otherwise.
    public var jpegQuality: Int
    /// Quality of WebP pictures, 1…100; 80 unless said otherwise.
    public var webpQuality: Int
    /// The folder in which encoded pages wait until the document is complete; the document's own folder when nil.
    public var spoolFolder: String?

    /// Options; values out of range are brought into it.
    public init(jpegQuality: Int = 75, webpQuality: Int = 80, spoolFolder: String? = nil) {
        self.jpegQuality = min(max(jpegQuality, 1), 100)
        self.webpQuality = min(max(webpQuality, 1), 100)
        self.spoolFolder = spoolFolder
    }
}
