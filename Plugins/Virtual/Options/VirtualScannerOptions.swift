import CaptureKit

/// The options of the flatbed and the feeder.
enum VirtualScannerOptions {
    /// Millimeters across the glass.
    static let areaWidth = 216.0
    /// Millimeters down the glass.
    static let areaHeight = 300.0

    /// All options, in the order of the list.
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
        help:
            "Where pages come from; auto uses the feeder if it has paper, otherwise the flatbed.",
        group: "Scan", type: .choice(["flatbed", "feeder", "feeder-duplex", "auto"]),
        value: .text("feeder"))

    private static let scan: [OptionSpec] = [
        OptionSpec(
            "mode", "Mode", help: "Black and white, gray or color.", group: "Scan",
            type: .choice(["bilevel", "gray", "color"]), value: .text("gray")),
        OptionSpec(
            "depth", "Depth", help: "Bits per sample.", group: "Scan",
            type: .integerChoice([8, 16]), unit: .bits, value: .integer(8),
            inactive: { $0.text("mode") == "bilevel" ? "the mode is bilevel" : nil }),
        OptionSpec(
            "threshold", "Threshold", help: "Samples below it become black.", group: "Scan",
            type: .integer(range: 0...255, step: nil), value: .integer(128),
            inactive: { $0.text("mode") == "bilevel" ? nil : "the mode is not bilevel" }),
        OptionSpec(
            "resolution", "Resolution", help: "How finely pages are scanned.", group: "Scan",
            type: .integerChoice([75, 100, 150, 200, 300, 600]), unit: .dpi, value: .integer(300),
            inactive: CommonOptions.inactiveWithFolder),
    ]

    private static let geometry: [OptionSpec] = [
        OptionSpec(
            "paper", "Paper",
            help: "The size of the sheet, from the corner; custom if the area was set directly.",
            group: "Geometry", type: .choice(papers.map(\.name) + ["maximum", "custom"]),
            value: .text("a4"),
            inactive: CommonOptions.inactiveWithFolder),
        length(
            "area-left", "Left", help: "Where the scanned area begins, from the left.",
            range: 0...areaWidth - 10, value: 0),
        length(
            "area-top", "Top", help: "Where the scanned area begins, from the top.",
            range: 0...areaHeight - 10,
            value: 0),
        length(
            "area-width", "Width", help: "How wide the scanned area is.", range: 10...areaWidth,
            value: TestPage.width),
        length(
            "area-height", "Height", help: "How tall the scanned area is.", range: 10...areaHeight,
            value: TestPage.height),
    ]

    private static func length(
        _ name: String, _ title: String, help: String, range: ClosedRange<Double>,
        value: Double
    ) -> OptionSpec {
        OptionSpec(
            name, title, help: help, group: "Geometry", type: .number(range: range, step: 0.5),
            unit: .millimeters,
            value: .number(value), inactive: CommonOptions.inactiveWithFolder)
    }

    private static let pages = OptionSpec(
        "pages", "Pages", help: "Puts this many sheets into the feeder.", group: "Virtual",
        type: .integer(range: 0...100_000, step: nil), value: .integer(10),
        inactive: CommonOptions.inactiveWithFolder)

    private static let hasSensor = OptionSpec(
        "paper-sensor", "Paper sensor", help: "Whether the feeder can detect paper.",
        group: "Virtual", type: .toggle, value: .bool(true), isAdvanced: true)

    private static let sensor = OptionSpec(
        "page-loaded", "Page loaded", help: "Whether the feeder holds paper.", group: "Sensors",
        type: .toggle,
        value: .bool(true), isReadOnly: true, sensor: .paper,
        inactive: { $0.isOn("paper-sensor") ? nil : "the feeder has no sensor" })

    private static let button = OptionSpec(
        "scan-button", "Scan button", help: "Whether the button was pressed.", group: "Sensors",
        type: .toggle,
        value: .bool(false), isReadOnly: true, sensor: .button)
}
