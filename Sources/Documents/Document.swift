/// What is known of a document besides its pages.
public struct DocumentInfo: Codable, Hashable, Sendable {
    /// Its title.
    public var title: String
    /// When it was scanned, as seconds since 1970-01-01T00:00:00Z.
    public var created: Double
    /// Its main language as a BCP 47 tag such as `en`, where known.
    public var language: String?

    /// A document's head.
    public init(title: String, created: Double, language: String? = nil) {
        self.title = title
        self.created = created
        self.language = language
    }
}
