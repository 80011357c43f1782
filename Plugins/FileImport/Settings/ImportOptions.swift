import CaptureKit

/// The options of a file device: each is declared once with its type, its default, and how it reads
/// and writes a setting.
struct ImportOption: Sendable {
    /// The option without its current value.
    let declaration: DeviceOption
    /// The present value; nil for one that is never shown.
    let read: @Sendable (ImportSettings) -> OptionValue?
    /// Sets a value of the declared type and range; false for an invalid one.
    let write: @Sendable (inout ImportSettings, OptionValue) -> Bool

    /// Every option, in the order in which they are listed.
    static let all: [ImportOption] = [
        resolution, pages, password, assumedResolution, recursive, strict, rate,
    ]

    private static let resolution = ImportOption(
        declaration: DeviceOption(
            name: "resolution", title: "Resolution of PDF pages",
            help: """
                Dots per inch at which PDF pages are rendered. Pages that are one scanned picture \
                keep their own \
                resolution.
                """,
            group: "PDF", type: .integer(range: 72...1200, step: nil), unit: .dpi,
            defaultValue: .integer(ImportSettings().resolution)),
        read: { .integer($0.resolution) },
        write: { settings, value in
            guard let number = value.wholeNumber, (72...1200).contains(number) else { return false }
            settings.resolution = number
            return true
        })

    private static let pages = ImportOption(
        declaration: DeviceOption(
            name: "pages", title: "Pages",
            help: """
                The pages to read from each file, such as 1-3,7, or 5- for all from page 5 on. \
                Empty means every page.
                """,
            group: "Selection", type: .text(maximumLength: 1_000), defaultValue: .text("")),
        read: { .text($0.pages.text) },
        write: { settings, value in
            guard case .text(let text) = value, text.utf8.count <= 1_000,
                let selection = PageSelection(text)
            else { return false }
            settings.pages = selection
            return true
        })

    private static let password = ImportOption(
        declaration: DeviceOption(
            name: "password", title: "Password",
            help:
                "The owner or user password of encrypted PDF files. It is never shown again.",
            group: "PDF", type: .text(maximumLength: 127)),
        read: { _ in nil },
        write: { settings, value in
            // 127 bytes is the longest password that a PDF can have (ISO 32000-2, 7.6.4.3.3).
            guard case .text(let text) = value, text.utf8.count <= 127, !text.utf8.contains(0)
            else {
                return false
            }
            settings.password = text
            return true
        })

    private static let assumedResolution = ImportOption(
        declaration: DeviceOption(
            name: "assumed-resolution", title: "Assumed resolution",
            help: "Dots per inch of pictures that don't state their own. 0 leaves it unknown.",
            group: "Pictures", type: .integer(range: 0...10_000, step: nil), unit: .dpi,
            defaultValue: .integer(ImportSettings().assumedResolution), isAdvanced: true),
        read: { .integer($0.assumedResolution) },
        write: { settings, value in
            guard let number = value.wholeNumber, (0...10_000).contains(number) else {
                return false
            }
            settings.assumedResolution = number
            return true
        })

    private static let recursive = ImportOption(
        declaration: DeviceOption(
            name: "recursive", title: "Subfolders",
            help:
                "Whether subfolders are read too. Links to folders are never followed.",
            group: "Selection", type: .toggle, defaultValue: .bool(ImportSettings().recursive)),
        read: { .bool($0.recursive) },
        write: { settings, value in
            guard case .bool(let flag) = value else { return false }
            settings.recursive = flag
            return true
        })

    private static let strict = ImportOption(
        declaration: DeviceOption(
            name: "strict", title: "Whole pictures only",
            help: """
                Whether damaged pictures are refused. Otherwise they are read as far as possible, \
                and the page says so.
                """,
            group: "Selection", type: .toggle, defaultValue: .bool(ImportSettings().strict)),
        read: { .bool($0.strict) },
        write: { settings, value in
            guard case .bool(let flag) = value else { return false }
            settings.strict = flag
            return true
        })

    private static let rate = ImportOption(
        declaration: DeviceOption(
            name: "rate", title: "Frames a second",
            help: """
                The frame rate at which a recording is watched. 0 uses the recording's own, or 12 \
                per second if it has none, as for a folder of frames.
                """,
            group: "Recordings", type: .number(range: 0...1_000, step: nil),
            defaultValue: .number(ImportSettings().rate)),
        read: { .number($0.rate) },
        write: { settings, value in
            guard let number = value.anyNumber, number == 0 || ImportSettings.rates.contains(number)
            else { return false }
            settings.rate = number
            return true
        })
}

extension ImportOption {
    /// The option with its value in `settings`.
    func current(in settings: ImportSettings) -> DeviceOption {
        var option = declaration
        option.value = read(settings)
        return option
    }

    /// The error for a value that the option does not accept, with the possible ones.
    func refusal(of value: OptionValue) -> CaptureError {
        let accepted =
            switch declaration.type {
            case .integer(let range?, _):
                "a whole number from \(range.lowerBound) to \(range.upperBound)"
            case .number where declaration.name == "rate": "0, or a number from 0.01 to 1000"
            case .toggle: "true or false"
            case .text where declaration.name == "pages":
                "page numbers and ranges from 1 on, such as 1-3,7"
            case .text(let length?): "a text of at most \(length) bytes"
            default: "another type of value"
            }
        // A password must not turn up in a log, so its value is never repeated.
        let shown = declaration.name == "password" ? "the value given" : "'\(value.description)'"
        return CaptureError(
            .invalidValue, "The option '\(declaration.name)' does not accept \(shown)",
            advice: "It accepts \(accepted)")
    }
}

extension OptionValue {
    /// The value as a whole number; nil for others.
    fileprivate var wholeNumber: Int? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int(exactly: number)
        case .bool, .text: nil
        }
    }

    /// The value as a number; nil for others.
    fileprivate var anyNumber: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number.isFinite ? number : nil
        case .bool, .text: nil
        }
    }

    /// The value as a user would write it.
    fileprivate var description: String {
        switch self {
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .text(let text): printable(text)
        }
    }
}
