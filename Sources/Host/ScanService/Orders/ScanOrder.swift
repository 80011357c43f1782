import Delivery
public import Documents
public import JobOptions

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
    /// The options of the job, each declared as a `JobOption`.
    public var options = JobSettings()
    /// The settings of PDFs.
    public var pdf = PDFOrder()
    /// Options to set on each device, as they were typed.
    ///
    /// A `password` is never written to disk.
    public var settings: [Setting]
    /// The profile's name.
    public var profile: String
    /// Changes to the profile's steps for this run, as `step.option=value`.
    public var stepChanges: [String]
    /// Steps of the profile left out of this run.
    public var omittedSteps: [String]
    /// The files to write; the extension chooses the format.
    public var outputs: [String]
    /// Named sinks that get the document as well; `outputs` and these are never both empty.
    public var sinks: [String] = []
    /// The part of every picture that is kept; nil for the whole picture.
    public var area: CaptureArea?
    /// The folder that gets every page after each step, with the reasons; nil for none.
    ///
    /// It is not recorded: a job that is resumed is not explained again.
    public var explanation: String?
    /// Who placed the order, and will own its documents; nil for the user of the program that
    /// begins the job.
    public var user: ArchiveUser?

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
    ///
    /// - Parameter limit: the maximum number of pages from each source; nil for as many as there
    ///   are.
    public init(
        sources: [String], outputs: [String], profile: String, settings: [Setting] = [],
        limit: Int? = nil, stepChanges: [String] = [], omittedSteps: [String] = []
    ) {
        self.sources = sources
        self.settings = settings
        self.profile = profile
        self.stepChanges = stepChanges
        self.omittedSteps = omittedSteps
        self.outputs = outputs
        options[.pages] = limit
    }

    private enum CodingKeys: String, CodingKey {
        case sources, common, pdf, settings, profile, stepChanges, omittedSteps, outputs, sinks,
            area, user
    }

    /// Reads an order, which may be from an older version.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        sources = try fields.decode([String].self, forKey: .sources)
        settings = try fields.decode([Setting].self, forKey: .settings)
        profile = try fields.decode(String.self, forKey: .profile)
        stepChanges = try fields.decode([String].self, forKey: .stepChanges)
        omittedSteps = try fields.decode([String].self, forKey: .omittedSteps)
        outputs = try fields.decode([String].self, forKey: .outputs)
        common = try fields.decodeIfPresent(CommonSettings.self, forKey: .common) ?? common
        pdf = try fields.decodeIfPresent(PDFOrder.self, forKey: .pdf) ?? pdf
        sinks = try fields.decodeIfPresent([String].self, forKey: .sinks) ?? []
        area = try fields.decodeIfPresent(CaptureArea.self, forKey: .area)
        user = try fields.decodeIfPresent(ArchiveUser.self, forKey: .user)
        options = try JobSettings(record: decoder)
    }

    /// Writes the order, with its options beside the other members.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(sources, forKey: .sources)
        try fields.encode(common, forKey: .common)
        try fields.encode(pdf, forKey: .pdf)
        try fields.encode(settings, forKey: .settings)
        try fields.encode(profile, forKey: .profile)
        try fields.encode(stepChanges, forKey: .stepChanges)
        try fields.encode(omittedSteps, forKey: .omittedSteps)
        try fields.encode(outputs, forKey: .outputs)
        try fields.encode(sinks, forKey: .sinks)
        try fields.encodeIfPresent(area, forKey: .area)
        try fields.encodeIfPresent(user, forKey: .user)
        try options.encode(record: encoder)
    }

    /// True if fronts and backs come from two files, one for each.
    var hasFilesOfSides: Bool {
        options[.collates] && sources.count == 2 && sources.allSatisfy { $0.hasPrefix("file:") }
    }

    /// True if some output leaves out a blank page, as files and sinks do; the archive does not.
    var leavesBlankPagesOut: Bool {
        let files = outputs.count { !ArchiveSink.isMeant(by: $0) }
        return files > 0 || (outputs.isEmpty && sinks.contains { $0 != ArchiveSink.kindName })
    }

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
