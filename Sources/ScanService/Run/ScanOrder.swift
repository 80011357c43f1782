/// What somebody wants scanned, how, and where it should go.
///
/// It is written into the job's folder before anything is captured, so that an interrupted job can be resumed as it was meant.
public struct ScanOrder: Codable, Sendable {
    /// The devices to capture from, in turn, by any name the host understands.
    ///
    /// `file:PATH` stands for a file or folder, `-` for standard input; empty for the default device.
    public var sources: [String]
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
    /// The files to write, at least one; the ending chooses the format.
    public var outputs: [String]
    /// The document's title; nil for the first output's name.
    public var title: String?
    /// The part of every picture that is kept; nil for the whole.
    public var area: CaptureArea?

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

    /// The option that holds a secret in every backend that needs one.
    static let secretOption = "password"

    /// The order without what must not be written to disk.
    var withoutSecrets: ScanOrder {
        var order = self
        order.settings.removeAll { $0.option == Self.secretOption }
        return order
    }
}
