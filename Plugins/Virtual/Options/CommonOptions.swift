import CaptureKit

/// The options that every virtual device has.
enum CommonOptions {
    /// Lightness and mirroring.
    static let enhancement: [OptionSpec] = [
        OptionSpec(
            "brightness", "Brightness", help: "Makes the picture lighter or darker.",
            group: "Enhancement",
            type: .number(range: -100...100, step: 1), unit: .percent, value: .number(0)),
        OptionSpec(
            "contrast", "Contrast",
            help: "Increases or reduces the difference between light and dark.",
            group: "Enhancement",
            type: .number(range: -100...100, step: 1), unit: .percent, value: .number(0)),
        OptionSpec(
            "mirror", "Mirror", help: "Swaps left and right.", group: "Enhancement", type: .toggle,
            value: .bool(false)
        ),
    ]

    /// The folder of pictures.
    static func folder(_ path: String) -> OptionSpec {
        OptionSpec(
            "folder", "Folder",
            help: "Serves this folder's pictures in natural order; empty for made-up pages.",
            group: "Virtual", type: .text(maximumLength: 4096), value: .text(path), hostPath: true)
    }

    /// Faults on request, and a button with a counter.
    static let virtual: [OptionSpec] = [
        OptionSpec(
            "unknown-height", "Unknown height",
            help: "Announces frames without their height, as a hand-held scanner does.",
            group: "Virtual",
            type: .toggle, value: .bool(false), isAdvanced: true),
        OptionSpec(
            "fault", "Fault", help: "The fault to simulate.", group: "Virtual",
            type: .choice(Fault.allCases.map(\.rawValue)), value: .text(Fault.none.rawValue),
            isAdvanced: true),
        OptionSpec(
            "fault-page", "Fault page",
            help: "The page of a capture on which the fault occurs, from 1.",
            group: "Virtual", type: .integer(range: 1...100_000, step: nil), value: .integer(1),
            isAdvanced: true
        ),
        OptionSpec(
            "row-delay", "Row delay",
            help: "Milliseconds a row takes when the fault is 'slow'.", group: "Virtual",
            type: .integer(range: 0...60_000, step: nil), value: .integer(5), isAdvanced: true),
        OptionSpec(
            "calibrate", "Calibrate", help: "Pretends to calibrate the lamp.", group: "Sensors",
            type: .button,
            value: nil,
            isAdvanced: true),
        OptionSpec(
            "calibrations", "Calibrations", help: "How many times the lamp was calibrated.",
            group: "Sensors",
            type: .integer(range: nil, step: nil), value: .integer(0), isReadOnly: true,
            isAdvanced: true),
    ]

    /// The reason why an option about drawn pages can't be set with a folder of pictures.
    static func inactiveWithFolder(_ settings: Settings) -> String? {
        settings.text("folder").isEmpty ? nil : "the pages come from a folder as they are"
    }
}
