/// The metadata of a document, without its pages.
public struct DocumentInfo: Codable, Hashable, Sendable {
    /// The document's title.
    public var title: String
    /// The time of the scan, in seconds since 1970-01-01T00:00:00Z.
    public var created: Double
    /// The main language as a BCP 47 tag such as `en`; nil if unknown.
    public var language: String?
    /// The id of the document's job, equal in every attempt at delivery, so that a sink can
    /// recognize a repetition; nil for none.
    public var job: String?
    /// True when a user gave the title, which then takes precedence over the file's name; nil for
    /// false.
    public var isTitleGiven: Bool?
    /// The folder of the archive that also gets the document and keeps its receipts; nil for none.
    public var archive: String?
    /// The document's tags in the archive; nil for none.
    public var tags: [String]?
    /// The user who ordered the document, who owns it in the archive; nil for a document of
    /// everyone.
    public var user: ArchiveUser?
    /// True for pages of imported files; nil for scanned pages.
    public var isImported: Bool?

    /// A document's metadata, by default without a job, an archive or a user.
    public init(
        title: String, created: Double, language: String? = nil, job: String? = nil,
        isTitleGiven: Bool? = nil, archive: String? = nil, tags: [String]? = nil,
        user: ArchiveUser? = nil, isImported: Bool? = nil
    ) {
        self.title = title
        self.created = created
        self.language = language
        self.job = job
        self.isTitleGiven = isTitleGiven
        self.archive = archive
        self.tags = tags
        self.user = user
        self.isImported = isImported
    }
}
