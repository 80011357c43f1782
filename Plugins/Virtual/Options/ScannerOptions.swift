import CaptureKit

/// The options of the flatbed and the feeder.
enum ScannerOptions {
    /// Millimetres across the glass.
    static let areaWidth = 216.0
    /// Millimetres down the glass.
    static let areaHeight = 300.0

    /// All of them, in the order in which they are listed.
    static func specs(hasFeeder: Bool, folder: String) -> [OptionSpec] {
        (hasFeeder ? [source] : []) + scan + geometry + CommonOptions.enhancement
            + [CommonOptions.folder(folder)] + (hasFeeder ? [pages] : []) + CommonOptions.virtual
            + (hasFeeder ? [sensor] : [])
    }

    private static let source = OptionSpec(
        "source", "Source", "Where pages are taken from.", group: "Scan",
        .choice(["flatbed", "feeder", "feeder-duplex"]), .text("feeder"))

    private static let scan: [OptionSpec] = [
        OptionSpec(
            "mode", "Mode", "Black and white, gray or colour.", group: "Scan",
            .choice(["bilevel", "gray", "colour"]), .text("gray")),
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
        length(
            "left", "Left", "Where the scanned area begins, from the left.", 0...areaWidth - 10, 0),
        length(
            "top", "Top", "Where the scanned area begins, from the top.", 0...areaHeight - 10, 0),
        length("width", "Width", "How wide the scanned area is.", 10...areaWidth, TestPage.width),
        length(
            "height", "Height", "How high the scanned area is.", 10...areaHeight, TestPage.height),
    ]

    private static func length(
        _ name: String, _ title: String, _ help: String, _ range: ClosedRange<Double>,
        _ value: Double
    ) -> OptionSpec {
        OptionSpec(
            name, title, help, group: "Geometry", .number(range: range, step: 0.5),
            unit: .millimetres,
            .number(value), inactive: CommonOptions.inactiveWithFolder)
    }

    private static let pages = OptionSpec(
        "pages", "Pages", "Puts this many sheets into the feeder.", group: "Virtual",
        .integer(range: 0...100_000, step: nil), .integer(10),
        inactive: CommonOptions.inactiveWithFolder)

    private static let sensor = OptionSpec(
        "page-loaded", "Page loaded", "Whether the feeder holds paper.", group: "Sensors", .toggle,
        .bool(true), isReadOnly: true)
}
