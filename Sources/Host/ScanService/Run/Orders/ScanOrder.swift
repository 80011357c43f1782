import Delivery
public import Documents

/// The order for a scan: its sources, settings and outputs.
///
/// The order is written into the job's folder before the capture, so that an interrupted job can be
/// resumed as intended.
public struct ScanOrder: Codable, Sendable {
    /// The devices to capture from, in turn, by any name the host understands.
    ///
    /// `file:PATH` stands for a file or folder, `-` for standard input; empty for the default
    /// device.
    public var sources: [String]
    /// Settings by the names that all scanners have in common; set before `settings`.
    public var common = CommonSettings()
    /// True if the fronts and backs of a stack are captured one after the other, and interleaved.
    ///
    /// The backs of the turned stack come in reverse order. Of two files, the first has the fronts.
    public var collates = false
    /// True when another sheet is asked for at the end of each capture, until there is none; see
    /// ``ScanControl/onEnd(_:)``.
    public var asksForMore = false
    /// True when a capture begins automatically once the feeder has paper.
    public var waitsForPaper = false
    /// The compression of TIFF files; nil for none if the profile leaves pages unchanged, and
    /// lossless otherwise.
    public var compression: Compression?
    /// The settings of PDFs.
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
    /// The part of every picture that is kept; nil for the whole picture.
    public var area: CaptureArea?
    /// The folder that gets every page after each step, with the reasons; nil for none.
    ///
    /// A job that is resumed is not explained again.
    public var explanation: String?
    /// True when pages on which nothing is written are delivered like any other.
    public var keepsBlankPages = false
    /// True when documents that the archive already has are not mentioned.
    public var allowsDuplicates = false

    /// The seconds that a page of a file may take to be read; nil for ``usualPageTimeout``.
    public var pageTimeout: Double?

    /// The rules for splitting the batch into documents, in the form of `SplitRule`; empty for the
    /// profile's rules.
    public var splitAt: [String] = []
    /// The treatment of the pages at which the batch is split.
    public var splitPages = SplitPages.auto
    /// The place where the pages are processed: here or by workers.
    public var processing = Processing.here
    /// Who placed the order, and will own its documents; nil for the user of the program that
    /// begins the job.
    public var user: ArchiveUser?

    /// The compression of a TIFF's pages.
    public enum Compression: String, Codable, Sendable, CaseIterable {
        /// The file is not compressed, which is fastest.
        case none
        /// The file is compressed without loss.
        case lossless
    }

    /// An option of a device and the value it should take.
    public struct Setting: Codable, Hashable, Sendable {
        /// The option's name.
        public var option: String
        /// The value as a user typed it.
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

    /// Reads an order, which may be from an older version.
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
        processing = try fields.decodeIfPresent(Processing.self, forKey: .processing) ?? .here
        user = try fields.decodeIfPresent(ArchiveUser.self, forKey: .user)
    }

    /// True if fronts and backs come from two files, one for each.
    var hasFilesOfSides: Bool {
        collates && sources.count == 2 && sources.allSatisfy { $0.hasPrefix("file:") }
    }

    /// True if some output leaves out a blank page, as files and sinks do; the archive does not.
    var leavesBlankPagesOut: Bool {
        let files = outputs.count { !ArchiveSink.isMeant(by: $0) }
        return files > 0 || (outputs.isEmpty && sinks.contains { $0 != ArchiveSink.kindName })
    }

    /// The default seconds that a page of a file may take.
    public static let usualPageTimeout = 30.0
    /// The times that may be allowed, in seconds.
    public static let pageTimeouts = 1.0...86_400.0

    /// The name of the option for a secret, in every backend that needs one.
    static let secretOption = "password"

    /// The requested options of devices, without secrets; nil for none.
    var deviceOptions: [String: String]? {
        var options = common.valuesByName
        for setting in withoutSecrets.settings { options[setting.option] = setting.value }
        return options.isEmpty ? nil : options
    }

    /// The order without the parts that are not written to disk: secrets, and settings for this run
    /// only.
    var withoutSecrets: ScanOrder {
        var order = self
        order.settings.removeAll { $0.option == Self.secretOption }
        order.explanation = nil
        return order
    }
}
