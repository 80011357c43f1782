import CaptureKit

/// The options of the flatbed and the feeder.
enum ScannerOptions {
    /// Millimeters across the glass.
    static let areaWidth = 216.0
    /// Millimeters down the glass.
    static let areaHeight = 300.0

    /// All of them, in the order in which they are listed.
    static func specs(hasFeeder: Bool, folder: String) -> [OptionSpec] {
        (hasFeeder ? [source] : []) + scan + geometry + CommonOptions.enhancement
            + [CommonOptions.folder(folder)] + (hasFeeder ? [pages, hasSensor] : [])
            + CommonOptions.virtual + (hasFeeder ? [sensor] : []) + [button]
    }

    /// The names that `paper` takes: the sheets that fit, the whole glass, and `custom` for any
    /// other area.
    static let papers = Paper.fitting(width: areaWidth, height: areaHeight)

    private static let source = OptionSpec(
        "source", "Source",
        "Where pages are taken from; auto takes the feeder if it has paper, else the flatbed.",
        group: "Scan", .choice(["flatbed", "feeder", "feeder-duplex", "auto"]), .text("feeder"))

    private static let scan: [OptionSpec] = [
        OptionSpec(
            "mode", "Mode", "Black and white, gray or color.", group: "Scan",
            .choice(["bilevel", "gray", "color"]), .text("gray")),
        OptionSpec(
            "depth", "Depth", "Bits a sample.", group: "Scan", .integerChoice([8, 16]), unit: .bits,
            .integer(8),
            inactive: { $0.text("mode") == "bilevel" ? "the mode is bilevel" : nil }),
        OptionSpec(
            "threshold", "Threshold", "Samples below it become black.", group: "Scan",
            .integer(range: 0...255, step: nil), .integer(128),
            inactive: { $0.text("mode") == "bilevel" ? nil : "the mode is not bilevel" }),
        OptionSpec(
            "resolution", "Resolution", "How finely pages are scanned.", group: "Scan",
            .integerChoice([75, 100, 150, 200, 300, 600]), unit: .dpi, .integer(300),
            inactive: CommonOptions.inactiveWithFolder),
    ]

    private static let geometry: [OptionSpec] = [
        OptionSpec(
            "paper", "Paper",
            "The sheet to scan, from the corner; custom when the area was set otherwise.",
            group: "Geometry", .choice(papers.map(\.name) + ["maximum", "custom"]), .text("a4"),
            inactive: CommonOptions.inactiveWithFolder),
        length(
            "area-left", "Left", "Where the scanned area begins, from the left.",
            0...areaWidth - 10, 0),
        length(
            "area-top", "Top", "Where the scanned area begins, from the top.", 0...areaHeight - 10,
            0),
        length(
            "area-width", "Width", "How wide the scanned area is.", 10...areaWidth, TestPage.width),
        length(
            "area-height", "Height", "How high the scanned area is.", 10...areaHeight,
            TestPage.height),
    ]

    private static func length(
        _ name: String, _ title: String, _ help: String, _ range: ClosedRange<Double>,
        _ value: Double
    ) -> OptionSpec {
        OptionSpec(
            name, title, help, group: "Geometry", .number(range: range, step: 0.5),
            unit: .millimeters,
            .number(value), inactive: CommonOptions.inactiveWithFolder)
    }

    private static let pages = OptionSpec(
        "pages", "Pages", "Puts this many sheets into the feeder.", group: "Virtual",
        .integer(range: 0...100_000, step: nil), .integer(10),
        inactive: CommonOptions.inactiveWithFolder)

    private static let hasSensor = OptionSpec(
        "paper-sensor", "Paper sensor", "Whether the feeder can tell that it holds paper.",
        group: "Virtual", .toggle, .bool(true), isAdvanced: true)

    private static let sensor = OptionSpec(
        "page-loaded", "Page loaded", "Whether the feeder holds paper.", group: "Sensors", .toggle,
        .bool(true), isReadOnly: true, sensor: .paper,
        inactive: { $0.isOn("paper-sensor") ? nil : "the feeder has no sensor" })

    private static let button = OptionSpec(
        "scan-button", "Scan button", "Whether the button was pressed.", group: "Sensors", .toggle,
        .bool(false), isReadOnly: true, sensor: .button)
}
