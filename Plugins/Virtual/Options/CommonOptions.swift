import CaptureKit

/// The options that every virtual device has.
enum CommonOptions {
    /// Lightness and mirroring.
    static let enhancement: [OptionSpec] = [
        OptionSpec(
            "brightness", "Brightness", "Makes the picture lighter or darker.",
            group: "Enhancement",
            .number(range: -100...100, step: 1), unit: .percent, .number(0)),
        OptionSpec(
            "contrast", "Contrast", "Pulls light and dark apart or together.", group: "Enhancement",
            .number(range: -100...100, step: 1), unit: .percent, .number(0)),
        OptionSpec(
            "mirror", "Mirror", "Swaps left and right.", group: "Enhancement", .toggle, .bool(false)
        ),
    ]

    /// The folder that is served.
    static func folder(_ path: String) -> OptionSpec {
        OptionSpec(
            "folder", "Folder",
            "Serves this folder's pictures in natural order; empty for made-up pages.",
            group: "Virtual", .text(maximumLength: 4096), .text(path), hostPath: true)
    }

    /// Faults on request, and a button with a counter.
    static let virtual: [OptionSpec] = [
        OptionSpec(
            "unknown-height", "Unknown height",
            "Announces frames without their height, as a hand-held scanner does.", group: "Virtual",
            .toggle, .bool(false), isAdvanced: true),
        OptionSpec(
            "fault", "Fault", "What goes wrong.", group: "Virtual",
            .choice(Fault.allCases.map(\.rawValue)), .text(Fault.none.rawValue), isAdvanced: true),
        OptionSpec(
            "fault-page", "Fault page",
            "On which page of a capture it goes wrong, the first being 1.",
            group: "Virtual", .integer(range: 1...100_000, step: nil), .integer(1), isAdvanced: true
        ),
        OptionSpec(
            "row-delay", "Row delay",
            "Milliseconds a row takes when the fault is 'slow'.", group: "Virtual",
            .integer(range: 0...60_000, step: nil), .integer(5), isAdvanced: true),
        OptionSpec(
            "calibrate", "Calibrate", "Pretends to calibrate the lamp.", group: "Sensors", .button,
            nil,
            isAdvanced: true),
        OptionSpec(
            "calibrations", "Calibrations", "How often the lamp was calibrated.", group: "Sensors",
            .integer(range: nil, step: nil), .integer(0), isReadOnly: true, isAdvanced: true),
    ]

    /// Why an option about made-up pages can't be set while a folder is served.
    static func inactiveWithFolder(_ settings: Settings) -> String? {
        settings.text("folder").isEmpty ? nil : "the pages come from a folder as they are"
    }
}
