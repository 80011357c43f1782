import Delivery

/// What to scan, how, and where it should go.
///
/// It is written into the job's folder before anything is captured, so that an interrupted job can
/// be resumed as intended.
public struct ScanOrder: Codable, Sendable {
    /// The devices to capture from, in turn, by any name the host understands.
    ///
    /// `file:PATH` stands for a file or folder, `-` for standard input; empty for the default
    /// device.
    public var sources: [String]
    /// Settings by the names that all scanners have in common; set before `settings`.
    public var common = CommonSettings()
    /// True for two captures of a stack from a one-sided feeder, whose pages are interleaved: the
    /// fronts, and then the backs of the turned stack in reverse order.
    ///
    /// Of two files, the first has the fronts and the second the backs.
    public var collates = false
    /// True when another sheet is asked for at the end of each capture, until there is none; see
    /// ``ScanControl/onEnd(_:)``.
    public var asksForMore = false
    /// True when a capture begins automatically once the feeder has paper.
    public var waitsForPaper = false
    /// How TIFF files are compressed; nil means not at all if the profile leaves pages as they
    /// came, and otherwise without loss.
    public var compression: Compression?
    /// How PDFs are made.
    public var pdf = PDFOrder()
    /// Options to set on each device, as they were typed.
    ///
    /// A `password` is never written to disk.
    public var settings: [Setting]
    /// The most pages to capture from each source; nil for as many as there are.
    public var limit: Int?
    /// The profile's name.
    public var profile: String
    /// Changes to the profile's steps for this run, as `step.option=value`.
    public var stepChanges: [String]
    /// Steps of the profile left out of this run.
    public var omittedSteps: [String]
    /// Languages to read, as Tesseract names them; empty for the profile's own.
    public var languages: [String]
    /// The files to write; the extension chooses the format.
    public var outputs: [String]
    /// Named sinks that get the document as well; `outputs` and these are never both empty.
    public var sinks: [String] = []
    /// The document's title; nil for the first output's name.
    public var title: String?
    /// Tags that the document gets in the archive.
    public var tags: [String] = []
    /// The part of every picture that is kept; nil for the whole.
    public var area: CaptureArea?
    /// The folder that gets every page after each step and why; nil for none.
    ///
    /// A job that is resumed is not explained again.
    public var explanation: String?
    /// True when pages on which nothing is written are delivered like any other.
    public var keepsBlankPages = false
    /// True when documents that the archive already has are not mentioned.
    public var allowsDuplicates = false

    /// How long a page of a file may take to be read, in seconds; nil for ``usualPageTimeout``.
    public var pageTimeout: Double?

    /// Where the batch is split into documents, as `SplitRule` reads it; empty for where the
    /// profile says.
    public var splitAt: [String] = []
    /// What to do with the pages at which it is split.
    public var splitPages = SplitPages.auto

    /// How the pages of a TIFF are compressed.
    public enum Compression: String, Codable, Sendable, CaseIterable {
        /// Not compressed, which is fastest.
        case none
        /// Without loss.
        case lossless
    }

    /// An option of a device and the value it should take.
    public struct Setting: Codable, Hashable, Sendable {
        /// The option's name.
        public var option: String
        /// The value as it was typed.
        public var value: String

        /// A setting of `option` to `value`.
        public init(option: String, value: String) {
            self.option = option
            self.value = value
        }
    }

    /// An order of `outputs` from `sources` with a profile; everything else is left to its default.
    public init(
        sources: [String], outputs: [String], profile: String, settings: [Setting] = [],
        limit: Int? = nil, stepChanges: [String] = [], omittedSteps: [String] = [],
        languages: [String] = [], title: String? = nil
    ) {
        self.sources = sources
        self.settings = settings
        self.limit = limit
        self.profile = profile
        self.stepChanges = stepChanges
        self.omittedSteps = omittedSteps
        self.languages = languages
        self.outputs = outputs
        self.title = title
    }

    /// Reads an order, also one that an older version has written.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        sources = try fields.decode([String].self, forKey: .sources)
        settings = try fields.decode([Setting].self, forKey: .settings)
        limit = try fields.decodeIfPresent(Int.self, forKey: .limit)
        profile = try fields.decode(String.self, forKey: .profile)
        stepChanges = try fields.decode([String].self, forKey: .stepChanges)
        omittedSteps = try fields.decode([String].self, forKey: .omittedSteps)
        languages = try fields.decode([String].self, forKey: .languages)
        outputs = try fields.decode([String].self, forKey: .outputs)
        title = try fields.decodeIfPresent(String.self, forKey: .title)
        common = try fields.decodeIfPresent(CommonSettings.self, forKey: .common) ?? common
        collates = try fields.decodeIfPresent(Bool.self, forKey: .collates) ?? false
        asksForMore = try fields.decodeIfPresent(Bool.self, forKey: .asksForMore) ?? false
        waitsForPaper = try fields.decodeIfPresent(Bool.self, forKey: .waitsForPaper) ?? false
        compression = try fields.decodeIfPresent(Compression.self, forKey: .compression)
        pdf = try fields.decodeIfPresent(PDFOrder.self, forKey: .pdf) ?? pdf
        sinks = try fields.decodeIfPresent([String].self, forKey: .sinks) ?? []
        area = try fields.decodeIfPresent(CaptureArea.self, forKey: .area)
        keepsBlankPages =
            try fields.decodeIfPresent(Bool.self, forKey: .keepsBlankPages) ?? false
        allowsDuplicates =
            try fields.decodeIfPresent(Bool.self, forKey: .allowsDuplicates) ?? false
        pageTimeout = try fields.decodeIfPresent(Double.self, forKey: .pageTimeout).flatMap {
            Self.pageTimeouts.contains($0) ? $0 : nil
        }
        tags = try fields.decodeIfPresent([String].self, forKey: .tags) ?? []
        splitAt = try fields.decodeIfPresent([String].self, forKey: .splitAt) ?? []
        splitPages = try fields.decodeIfPresent(SplitPages.self, forKey: .splitPages) ?? .auto
    }

    /// Whether fronts and backs come from a file each.
    var hasFilesOfSides: Bool {
        collates && sources.count == 2 && sources.allSatisfy { $0.hasPrefix("file:") }
    }

    /// Whether a blank page is left out somewhere, so that it is nowhere or missing in one place:
    /// files and sinks leave it out, the archive does not.
    var leavesBlankPagesOut: Bool {
        let files = outputs.count { !ArchiveSink.isMeant(by: $0) }
        return files > 0 || (outputs.isEmpty && sinks.contains { $0 != ArchiveSink.kindName })
    }

    /// How long a page of a file may take by default, in seconds.
    public static let usualPageTimeout = 30.0
    /// The times that may be allowed, in seconds.
    public static let pageTimeouts = 1.0...86_400.0

    /// The option that holds a secret in every backend that needs one.
    static let secretOption = "password"

    /// What devices are asked for, by option, as far as it is not a secret; nil for nothing.
    var deviceOptions: [String: String]? {
        var options = common.valuesByName
        for setting in withoutSecrets.settings { options[setting.option] = setting.value }
        return options.isEmpty ? nil : options
    }

    /// The order without what is not written to disk: secrets, and what applies only to this run.
    var withoutSecrets: ScanOrder {
        var order = self
        order.settings.removeAll { $0.option == Self.secretOption }
        order.explanation = nil
        return order
    }
}
