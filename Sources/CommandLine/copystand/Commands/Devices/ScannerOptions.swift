import CaptureKit
import CommandLine
import JobOptions
import ScanService

/// The options of commands that scan: the settings that all scanners have in common, and the job to
/// continue.
enum ScannerOptions {
    static let source = Option(
        "source", value: "SOURCE", .choice(["flatbed", "feeder", "feeder-duplex", "auto"]),
        help: "Where pages come from; auto uses the feeder if it has paper, otherwise the flatbed.")
    static let mode = Option(
        "mode", value: "MODE", .choice(["bilevel", "gray", "color"]),
        help: "Black and white, gray or color.")
    static let resolution = Option(
        "resolution", short: "r", value: "DPI", .integer(1...100_000),
        help: "Dots per inch; the nearest value that the device has is used and reported.")
    static let paper = Option(
        "paper", value: "NAME", .name,
        help: """
            The sheet to scan, such as a4, a5, letter, legal or card; maximum for the whole area \
            that the device scans.
            """,
        completion: .dynamic("papers"), excludes: ["area"])
    static let area = Option(
        "area", value: "X,Y,W,H", .name,
        help: """
            The part of the platen to scan, in millimeters: from the left, from the top, width and \
            height. 'copystand \
            preview' shows what is where.
            """,
        excludes: ["paper"])
    static let brightness = Option(
        "brightness", value: "PERCENT", .number(-100...100),
        help: "Lighter or darker; 0 leaves pages as the device sees them.")
    static let contrast = Option(
        "contrast", value: "PERCENT", .number(-100...100),
        help: "More or less contrast; 0 leaves pages as the device sees them.")
    static let append = Option(
        "append", value: "JOB", .name,
        help: """
            Continue a document whose scanning ended early: more pages are added, and the file is \
            written again. Without JOB, the latest; 'copystand jobs' lists them.
            """,
        completion: .dynamic("jobs"),
        excludes: [
            "profile", "step", "no-step", "password", "password-file", "pdf-compression",
            "pdf-quality", "pdf-a",
        ]
            + JobOptions.of(.scan).map(\.argument).filter { !$0.commands.contains(.append) }
            .map(\.name), isValueOptional: true)

    /// The settings of the device, in the order help lists them.
    static let settings = [source, mode, resolution, paper, area, brightness, contrast]
}

extension CommonSettings {
    /// The settings that a command line names.
    ///
    /// - Throws: ``UsageError`` for an invalid area.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        typealias O = ScannerOptions
        let area = try parsed.text(O.area).map { text throws(UsageError) in
            guard let area = PlatenArea(text) else {
                throw UsageError(
                    .invalidValue(
                        text, expected: "four numbers of millimeters, such as 10,20,100,150"),
                    argument: O.area.spelling, path: parsed.path)
            }
            return area
        }
        self.init(
            source: parsed.text(O.source), mode: parsed.text(O.mode),
            resolution: parsed.integer(O.resolution), paper: parsed.text(O.paper), area: area,
            brightness: parsed.number(O.brightness), contrast: parsed.number(O.contrast))
    }
}

/// Millimeters without a fraction of zero.
func millimeters(_ number: Double) -> String {
    let tenths = (10 * number).rounded() / 10
    return Int(exactly: tenths).map { "\($0)" } ?? "\(tenths)"
}
