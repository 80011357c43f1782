/// What is known of a document besides its pages.
public struct DocumentInfo: Codable, Hashable, Sendable {
    /// Its title.
    public var title: String
    /// When it was scanned, as seconds since 1970-01-01T00:00:00Z.
    public var created: Double
    /// Its main language as a BCP 47 tag such as `en`, where known.
    public var language: String?
    /// The job it comes from, the same at every try to deliver it, so that a sink can tell a
    /// repetition; nil for none.
    public var job: String?
    /// True when somebody gave it its title, which then stands before that of the file it comes
    /// from; nil for false.
    public var isTitleGiven: Bool?
    /// The folder of the archive that gets it as well and keeps its receipts; nil for none.
    public var archive: String?
    /// The tags that it gets in the archive; nil for none.
    public var tags: [String]?

    /// A document's head; of no job and for no archive unless told.
    public init(
        title: String, created: Double, language: String? = nil, job: String? = nil,
        isTitleGiven: Bool? = nil, archive: String? = nil, tags: [String]? = nil
    ) {
        self.title = title
        self.created = created
        self.language = language
        self.job = job
        self.isTitleGiven = isTitleGiven
        self.archive = archive
        self.tags = tags
    }
}
