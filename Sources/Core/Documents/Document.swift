/// What is known about a document besides its pages.
public struct DocumentInfo: Codable, Hashable, Sendable {
    /// Its title.
    public var title: String
    /// When it was scanned, as seconds since 1970-01-01T00:00:00Z.
    public var created: Double
    /// Its main language as a BCP 47 tag such as `en`, where known.
    public var language: String?
    /// The job that it comes from, the same for every delivery attempt, so that a sink can
    /// recognize a repetition; nil for none.
    public var job: String?
    /// True when a user gave it its title, which then takes precedence over that of its file; nil
    /// for false.
    public var isTitleGiven: Bool?
    /// The folder of the archive that gets it as well and keeps its receipts; nil for none.
    public var archive: String?
    /// The tags that it gets in the archive; nil for none.
    public var tags: [String]?

    /// A document's metadata; without a job or an archive unless given.
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
