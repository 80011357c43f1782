import CaptureHost
import CaptureKit
import ExpectedFailures

/// Setting one option of a device.
struct SettingStep: Hashable, Sendable {
    /// The option's name.
    var option: String
    /// The value that the setting gets.
    var value: OptionValue
    /// The requested value, if the device has another.
    var asked: String?
}

/// The parts of ``CommonSettings``, in the order in which they are set.
enum CommonPart: CaseIterable, Sendable {
    case source, mode, resolution, paper, area, brightness, contrast
}

extension CommonSettings {
    /// True if the settings include a part.
    func has(_ part: CommonPart) -> Bool {
        switch part {
        case .source: source != nil
        case .mode: mode != nil
        case .resolution: resolution != nil
        case .paper: paper != nil
        case .area: area != nil
        case .brightness: brightness != nil
        case .contrast: contrast != nil
        }
    }

    /// The steps that apply one part of the settings to a device with its current options; empty if
    /// that part was not requested.
    ///
    /// - Parameters:
    ///   - device: the device's name, for messages.
    ///   - sources: the sources of its pages, for a device whose source can't be set.
    /// - Throws: ``HostError``: `noSuchOption` when the device has no such option, `invalidValue`
    ///   for an area beyond the platen.
    func steps(
        for part: CommonPart, in options: [DeviceOption], of device: String,
        sources: [String] = []
    ) throws -> [SettingStep] {
        let list = CommonOptionLookup(options: options, device: device, sources: sources)
        switch part {
        case .source: return try source.map { try list.source($0) } ?? []
        case .mode: return try mode.map { [try list.choice("mode", $0)] } ?? []
        case .resolution: return try resolution.map { [try list.nearest("resolution", $0)] } ?? []
        case .paper: return try paper.map { [try list.paper($0)] } ?? []
        case .area: return try area.map { try list.area($0) } ?? []
        case .brightness:
            return try brightness.map { [try list.nearest("brightness", $0)] } ?? []
        case .contrast: return try contrast.map { [try list.nearest("contrast", $0)] } ?? []
        }
    }
}

/// A device's options, examined for the common settings.
private struct CommonOptionLookup {
    let options: [DeviceOption]
    let device: String
    let sources: [String]

    func option(_ name: String) throws -> DeviceOption {
        if let option = options.first(where: { $0.name == name }) { return option }
        let common = ["source", "mode", "resolution", "paper", "brightness", "contrast"]
        let there = options.map(\.name).filter(common.contains)
        let has = there.isEmpty ? "none of the common settings" : there.joined(separator: ", ")
        throw HostError(
            .noSuchOption, "'\(device)' has no option '\(name)' that can be set; it has \(has)")
    }

    func choice(_ name: String, _ word: String) throws -> SettingStep {
        SettingStep(option: try option(name).name, value: .text(word))
    }

    /// A known sheet size that is too large is reported as such.
    func paper(_ word: String) throws -> SettingStep {
        let option = try option("paper")
        if let paper = Paper.all.first(where: { $0.name == word.lowercased() }),
            case .choice(let choices) = option.type, !choices.contains(paper.name),
            let width = ifSupported({ try side("area-width") }),
            let height = ifSupported({ try side("area-height") })
        {
            throw HostError(
                .invalidValue,
                "\(paper.name) is \(shown(paper.width)) × \(shown(paper.height)) mm, but '\(device)' can scan "
                    + "\(shown(width)) × \(shown(height)) mm",
                advice: "Choose one of: \(choices.joined(separator: ", "))")
        }
        return try choice("paper", word)
    }

    func source(_ word: String) throws -> [SettingStep] {
        if !options.contains(where: { $0.name == "source" }), let only = sources.first,
            sources.count == 1
        {
            if word == only || word == "auto" { return [] }
            throw HostError(
                .invalidValue, "'\(device)' has only the source \(only), not \(word)")
        }
        let source = try option("source")
        guard word == "auto", case .choice(let choices) = source.type, !choices.contains("auto")
        else { return [SettingStep(option: "source", value: .text(word))] }
        // A device without an automatic source has only one source, or its sensor decides.
        let feeder = choices.first { $0.hasPrefix("feeder") }
        let hasPaper = options.first { $0.senses(.paper) }?.value.map(\.isOn)
        let chosen =
            choices.count == 1
            ? choices[0] : hasPaper.flatMap { $0 ? feeder : choices.first { $0 == "flatbed" } }
        guard let chosen else {
            throw HostError(
                .invalidValue,
                "'\(device)' can't tell whether its feeder has paper, so its source can't be auto",
                advice: "Choose one of: \(choices.joined(separator: ", "))")
        }
        return [SettingStep(option: "source", value: .text(chosen), asked: "auto")]
    }

    func nearest(_ name: String, _ number: Int) throws -> SettingStep {
        try nearest(name, Double(number))
    }

    func nearest(_ name: String, _ number: Double) throws -> SettingStep {
        let option = try option(name)
        guard let value = option.nearest(to: number) else {
            throw HostError(
                .invalidValue,
                "'\(device)' does not accept a number as its \(name), such as \(shown(number))"
            )
        }
        return SettingStep(
            option: name, value: value, asked: value.number == number ? nil : shown(number))
    }

    /// The area's left and top sides are set first: width and height come last, so they stay as
    /// requested.
    func area(_ area: PlatenArea) throws -> [SettingStep] {
        let sides = [
            ("area-left", area.x), ("area-top", area.y), ("area-width", area.width),
            ("area-height", area.height),
        ]
        let most = try (side("area-width"), side("area-height"))
        // Many platens are a little shorter than the sheet they are made for.
        let (right, bottom) = (area.x + area.width, area.y + area.height)
        guard right <= most.0 + Paper.tolerance, bottom <= most.1 + Paper.tolerance else {
            throw HostError(
                .invalidValue,
                "the area reaches to \(shown(right)) × \(shown(bottom)) mm, but '\(device)' can scan "
                    + "\(shown(most.0)) × \(shown(most.1)) mm",
                advice: "Choose x + width and y + height within that")
        }
        return try sides.map { name, length in
            var step = try nearest(name, length)
            step.asked = nil
            return step
        }
    }

    private func side(_ name: String) throws -> Double {
        guard case .number(let range?, _) = try option(name).type else {
            throw HostError(.noSuchOption, "'\(device)' has no '\(name)' in millimeters")
        }
        return range.upperBound
    }
}

extension DeviceOption {
    /// The value nearest to `number` that the option takes; nil for an option that takes no
    /// numbers.
    func nearest(to number: Double) -> OptionValue? {
        switch type {
        case .integer(let range, let step):
            let whole = Int(number.rounded().clamped(to: -1e15...1e15))
            guard let range else { return .integer(whole) }
            let inside = min(max(whole, range.lowerBound), range.upperBound)
            guard let step, step > 1 else { return .integer(inside) }
            let (distance, overflow) = inside.subtractingReportingOverflow(range.lowerBound)
            guard !overflow else { return .integer(range.lowerBound) }
            let steps = min(
                (distance + step / 2) / step, (range.upperBound - range.lowerBound) / step)
            return .integer(range.lowerBound + steps * step)
        case .number(let range, let step):
            guard let range else { return .number(number) }
            let inside = number.clamped(to: range)
            guard let step, step > 0 else { return .number(inside) }
            let most = ((range.upperBound - range.lowerBound) / step + 1e-9).rounded(.down)
            let steps = min(((inside - range.lowerBound) / step).rounded(), most)
            return .number(range.lowerBound + steps * step)
        case .integerChoice(let choices):
            return choices.min { abs(Double($0) - number) < abs(Double($1) - number) }
                .map { .integer($0) }
        default: return nil
        }
    }
}

extension OptionValue {
    /// True if both values are the same, where 2 equals 2.0.
    func isSame(as other: OptionValue) -> Bool {
        self == other || (number != nil && number == other.number)
    }

    /// The value as a number.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

/// A number without a fraction of zero.
func shown(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
