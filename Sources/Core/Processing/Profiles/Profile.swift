public import Detection

/// The processing of a page, as data: the object to look for, the steps in order, and the text to
/// read.
///
/// A profile is written in JSON5:
///
///     {
///       title: "Letters",
///       looksFor: "page",
///       steps: ["crop", "orientation", { deskew: { maximum: 5 } }],
///       text: { languages: ["eng"] },
///     }
public struct Profile: Hashable, Sendable {
    /// The profile's name, such as `document`.
    public var name: String
    /// A short title for lists.
    public var title: String
    /// A sentence or two about the profile's purpose.
    public var description: String
    /// The object to look for in the picture.
    public var looksFor: Target
    /// The steps in the order in which they run; each at most once.
    public var steps: [Step]
    /// The settings for reading text; nil to read none.
    public var text: TextReading?
    /// The treatment of text that a page already has.
    public var existingText = ExistingText.keep
    /// The conditions for automatically capturing a page under a camera.
    public var live: AutoCaptureSettings
    /// The names of the profile's default sinks, which may include `archive`; empty for only the
    /// archive.
    public var sinks: [String] = []
    /// The rules by which a stack is split into documents, in the form of `SplitRule`; empty for no
    /// split.
    public var splitAt: [String] = []

    /// The object to look for in a picture.
    public enum Target: Hashable, Sendable {
        /// A sheet of paper.
        case page
        /// A card of the size of a bank card.
        case card
        /// A fixed part of the picture.
        case region(Region)
        /// The profile looks for nothing: the picture is used unchanged.
        case nothing

        /// The word for the target in profiles.
        public var word: String {
            switch self {
            case .page: "page"
            case .card: "card"
            case .region: "region"
            case .nothing: "nothing"
            }
        }
    }

    /// A part of a picture, in fractions of its width and height, 0…1.
    public struct Region: Hashable, Sendable {
        /// The fraction of the width to the left of the region.
        public var left: Double
        /// The fraction of the height above the region.
        public var top: Double
        /// The fraction of the width that the region takes; `left + width` is at most 1.
        public var width: Double
        /// The fraction of the height that the region takes; `top + height` is at most 1.
        public var height: Double

        /// A part of a picture.
        public init(left: Double, top: Double, width: Double, height: Double) {
            self.left = left
            self.top = top
            self.width = width
            self.height = height
        }
    }

    /// One step with its settings.
    public struct Step: Hashable, Sendable {
        /// The step's name in the catalog.
        public var name: String
        /// The profile's settings; every other option has its default.
        public var settings: StepSettings

        /// A step; with default options unless settings are given.
        public init(_ name: String, settings: StepSettings = StepSettings()) {
            self.name = name
            self.settings = settings
        }
    }

    /// The settings for reading a page's text.
    public struct TextReading: Hashable, Sendable {
        /// The languages, as the codes of Tesseract's data such as `eng`; at least one.
        public var languages: [String]

        /// The name of the reader; nil for the usual one.
        public var reader: String?
    }

    /// The treatment of text that a page already has, as in a PDF.
    public enum ExistingText: String, Hashable, Sendable, CaseIterable {
        /// The existing text is kept; only pages without text are read.
        case keep
        /// The page is read, and the new text replaces the existing one, which stays if nothing is
        /// read.
        case redo
        /// The existing text is left out, and the page is not read.
        case drop
    }

    /// A profile; it looks for nothing, has no steps and reads no text unless given.
    public init(
        name: String, title: String, description: String = "", looksFor: Target = .nothing,
        steps: [Step] = [], text: TextReading? = nil,
        live: AutoCaptureSettings? = nil
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.looksFor = looksFor
        self.steps = steps
        self.text = text
        self.live = live ?? AutoCaptureSettings(for: looksFor)
    }
}
