import FileNames

/// The metadata of one page of a document, without its picture.
public struct Page: Codable, Hashable, Sendable {
    /// The page's place in the document, from 1.
    public var number: Int
    /// The picture's width in pixels.
    public var width: Int
    /// The picture's height in pixels.
    public var height: Int
    /// The picture's resolution in dots per inch.
    public var resolution: Double
    /// The picture's vertical resolution in dots per inch if its pixels are not square, as in an
    /// unprocessed fax; nil for square pixels.
    public var resolutionDown: Double?
    /// The text that was read; nil if no reading was requested, or it failed (see `problems`).
    public var text: PageText?
    /// The page's origin, and the results of the steps.
    public var provenance: Provenance
    /// Problems that did not lose the page, in sentences for people.
    public var problems: [String]

    /// A page, by default without text or problems.
    public init(
        number: Int, width: Int, height: Int, resolution: Double, resolutionDown: Double? = nil,
        text: PageText? = nil, provenance: Provenance, problems: [String] = []
    ) {
        self.number = number
        self.width = width
        self.height = height
        self.resolution = resolution
        self.resolutionDown = resolutionDown
        self.text = text
        self.provenance = provenance
        self.problems = problems
    }

    /// True when the step `blank` has found nothing written on the page: files leave such a page
    /// out, the archive keeps it.
    public var isBlank: Bool {
        provenance.steps.contains { $0.name == "blank" && $0.measurements["blank"] == 1 }
    }
}

/// The origin of a page, and the results of the steps.
public struct Provenance: Codable, Hashable, Sendable {
    /// The device, as `<backend>:<id>`; of a file only its name, as in `file:may.pdf`, because pages
    /// leave this machine with their provenance.
    public let device: String
    /// The page's label at its source, such as a file's name; nil for none.
    public var label: String?
    /// The requested settings of the device by option, such as `resolution` and `300`; nil if there
    /// were none, or they are unknown.
    public var options: [String: String]?
    /// The reports of the steps, in order.
    public var steps: [StepReport]

    /// A provenance, by default without options and steps.
    public init(
        device: String, label: String? = nil, options: [String: String]? = nil,
        steps: [StepReport] = []
    ) {
        self.device = PlaceNames.name(of: device)
        self.label = label
        self.options = options
        self.steps = steps
    }

    private enum CodingKeys: String, CodingKey { case device, label, options, steps }

    /// Reads a provenance, which an earlier version may have stored with a file's folder.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            device: try fields.decode(String.self, forKey: .device),
            label: try fields.decodeIfPresent(String.self, forKey: .label),
            options: try fields.decodeIfPresent([String: String].self, forKey: .options),
            steps: try fields.decode([StepReport].self, forKey: .steps))
    }
}

/// A report of what one processing step did to a page.
public struct StepReport: Codable, Hashable, Sendable {
    /// The step's name in the profile, such as `deskew`.
    public var name: String
    /// The step's result for users, such as "turned by 0.7°" or "left as it was: no text found".
    public var summary: String
    /// True when the step changed the picture.
    public var changed: Bool
    /// The step's measurements by name, such as `angle` in degrees.
    public var measurements: [String: Double]
    /// The duration in milliseconds.
    public var milliseconds: Double
    /// The items that the step found on the page, such as barcodes.
    public var found: [Finding]

    /// A report of a step, by default without findings.
    public init(
        name: String, summary: String, changed: Bool, measurements: [String: Double] = [:],
        milliseconds: Double, found: [Finding] = []
    ) {
        self.name = name
        self.summary = summary
        self.changed = changed
        self.measurements = measurements
        self.milliseconds = milliseconds
        self.found = found
    }

    private enum CodingKeys: String, CodingKey {
        case name, summary, changed, measurements, milliseconds, found
    }

    /// Reads a report, which may be from a version without findings.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        name = try fields.decode(String.self, forKey: .name)
        summary = try fields.decode(String.self, forKey: .summary)
        changed = try fields.decode(Bool.self, forKey: .changed)
        measurements = try fields.decode([String: Double].self, forKey: .measurements)
        milliseconds = try fields.decode(Double.self, forKey: .milliseconds)
        found = try fields.decodeIfPresent([Finding].self, forKey: .found) ?? []
    }

    /// Writes the report, with findings only if there are any.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(summary, forKey: .summary)
        try fields.encode(changed, forKey: .changed)
        try fields.encode(measurements, forKey: .measurements)
        try fields.encode(milliseconds, forKey: .milliseconds)
        if !found.isEmpty { try fields.encode(found, forKey: .found) }
    }
}
