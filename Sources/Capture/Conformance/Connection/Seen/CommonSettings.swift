import CaptureKit

// The settings that hosts know by name, and mistakes in a device's settings.
extension [DeviceOption] {
    /// The expected form of a setting and its actual one, in words; nil for a correct setting, or
    /// one that hosts do not know.
    func oddity(of name: String, on device: DeviceDescriptor) -> (String, String)? {
        guard let option = first(where: { $0.name == name }) else { return nil }
        if let common = CommonRule.other[name], !contains(where: { $0.name == common }) {
            return ("the name '\(common)', which hosts look for", "the name '\(name)'")
        }
        // A camera's brightness and contrast may have any range.
        let isLevel = ["brightness", "contrast"].contains(name)
        if isLevel && device.kind == .camera { return nil }
        guard let expected = CommonRule.expectation(of: option, on: device) else { return nil }
        return ("'\(name)' to be \(expected)", option.type.words + option.inUnit)
    }
}

enum CommonRule {
    /// The modes of pages, and the formats of each.
    static let modes = Dictionary(
        uniqueKeysWithValues: CommonSetting.Mode.allCases.map {
            ($0.rawValue, Set([$0.format(), $0.format(depth: 16)]))
        })

    /// Other names for common settings, each with the common name.
    static let other = [
        "dpi": "resolution", "scan-resolution": "resolution", "color-mode": "mode",
        "colour-mode": "mode", "scan-mode": "mode", "color": "mode", "colour": "mode",
        "paper-size": "paper", "page-size": "paper", "scan-source": "source",
        "paper-source": "source",
    ]

    private static let papers = Set(Paper.all.map(\.name) + ["maximum", "custom"])

    /// The expected form of an option that has another form; nil for a correct one.
    static func expectation(of option: DeviceOption, on device: DeviceDescriptor) -> String? {
        switch option.name {
        case "mode":
            return words(option).isDisjoint(with: modes.keys)
                ? "a choice among words such as bilevel, gray and color" : nil
        case "paper":
            return words(option).isDisjoint(with: papers)
                ? "a choice among sheets such as a4 and letter" : nil
        case "source":
            let sources = Set(device.sources)
            if sources.isEmpty && !words(option).isEmpty { return nil }
            return words(option).isDisjoint(with: sources)
                ? "a choice among the device's sources" : nil
        case "resolution": return isNumber(option, .dpi) ? nil : "a number in dpi"
        case "area-left", "area-top", "area-width", "area-height":
            return isNumber(option, .millimeters) ? nil : "a number in millimeters"
        case "brightness", "contrast":
            return isNumber(option, .percent) && isWithinPercent(option.type)
                ? nil : "a number from -100 to 100 in percent"
        default: return nil
        }
    }

    private static func words(_ option: DeviceOption) -> Set<String> {
        if case .choice(let choices) = option.type { Set(choices) } else { [] }
    }

    private static func isNumber(_ option: DeviceOption, _ unit: OptionUnit) -> Bool {
        switch option.type {
        case .integer, .number, .integerChoice: option.unit == unit
        default: false
        }
    }

    private static func isWithinPercent(_ type: OptionType) -> Bool {
        switch type {
        case .integer(let range?, _): range.lowerBound >= -100 && range.upperBound <= 100
        case .number(let range?, _): range.lowerBound >= -100 && range.upperBound <= 100
        default: false
        }
    }
}

extension DeviceOption {
    fileprivate var inUnit: String { unit.map { " in \($0.rawValue)" } ?? " without a unit" }
}

extension OptionType {
    /// The type in words, for the end of a sentence.
    fileprivate var words: String {
        switch self {
        case .toggle: "a toggle"
        case .button: "a button"
        case .text: "a text"
        case .choice(let choices): "a choice among " + choices.prefix(8).joined(separator: ", ")
        case .integerChoice: "a choice among whole numbers"
        case .integer(let range?, _):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range?, _): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .integer, .number: "a number without a range"
        }
    }
}

/// Pages that were captured in some mode or depth, to be compared with the options.
struct SeenMode {
    private let mode: String?
    private let resolution: Double?
    private let pages: [FrameDescription]

    /// - Parameter options: the device's options at the time of the capture.
    init(_ options: [DeviceOption], _ seen: SeenCapture) {
        mode =
            if case .text(let word)? = options.first(where: { $0.name == "mode" })?.value,
                CommonRule.modes[word] != nil
            { word } else { nil }
        let resolution = options.first {
            $0.name == "resolution" && $0.isActive && $0.unit == .dpi
        }
        self.resolution =
            switch resolution?.value {
            case .integer(let value): Double(value)
            case .number(let value): value
            default: nil
            }
        pages = seen.pages.map(\.form)
    }

    /// True if there is anything to compare.
    var isJudged: Bool { mode != nil && !pages.isEmpty }

    /// The expectation about a page, and the actual page, in words; nil when they agree.
    var deviation: (String, String)? {
        for page in pages {
            if let mode, CommonRule.modes[mode]?.contains(page.format) == false {
                return ("a page of the mode '\(mode)', which is set", page.format.rawValue)
            }
            // Devices round the resolution by less than a fiftieth.
            if let set = resolution, let own = page.resolution, abs(own.x - set) * 50 > set {
                return ("a page of \(set) dpi, which is set", "one of \(own.x) dpi")
            }
        }
        return nil
    }
}
