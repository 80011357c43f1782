import CaptureKit
import Suggestions

/// Checks a value against an option's type, and reads values from text.
enum OptionRules {
    /// Checks that `option` may be set to `value`; returns the value in the form its type asks for.
    static func check(_ value: OptionValue, for option: DeviceOption) throws -> OptionValue {
        if option.isReadOnly {
            throw refusal("option '\(option.name)' only reports and can't be set")
        }
        if !option.isActive {
            throw refusal(
                "option '\(option.name)' has no effect with the other options as they are")
        }
        switch (option.type, value) {
        case (.toggle, .bool), (.button, _): return value
        case (.integer(let range, let step), .integer(let number)):
            try check(number, range, step, option)
            return value
        case (.integer, .number(let number)):
            guard let whole = Int(exactly: number) else { throw wrong(value, option) }
            return try check(.integer(whole), for: option)
        case (.number, .integer(let number)):
            return try check(.number(Double(number)), for: option)
        case (.number(let range, let step), .number(let number)):
            try check(number, range, step, option)
            return value
        case (.integerChoice(let choices), .integer(let number)):
            guard choices.contains(number) else { throw wrong(value, option) }
            return value
        case (.text(let most), .text(let text)):
            if text.utf8.count > most ?? 65_536 { throw wrong(value, option) }
            return value
        case (.choice(let choices), .text(let text)):
            if choices.contains(text) { return value }
            let folded = choices.filter { $0.lowercased() == text.lowercased() }
            guard let only = folded.first, folded.count == 1 else { throw wrong(value, option) }
            return .text(only)
        default: throw wrong(value, option)
        }
    }

    /// Reads a value for `option` from what a user typed, and checks it.
    static func parse(_ text: String, for option: DeviceOption) throws -> OptionValue {
        let value: OptionValue?
        switch option.type {
        case .toggle:
            switch text.lowercased() {
            case "true", "yes", "on", "1": value = .bool(true)
            case "false", "no", "off", "0": value = .bool(false)
            default: value = nil
            }
        case .integer, .integerChoice: value = Int(text).map { .integer($0) }
        case .number: value = Double(text).map { .number($0) }
        case .text, .choice: value = .text(text)
        case .button: value = .bool(true)
        }
        guard let value else { throw wrong(.text(text), option) }
        return try check(value, for: option)
    }

    /// The option of that name.
    static func find(_ name: String, in options: [DeviceOption]) throws -> DeviceOption {
        if let option = options.first(where: { $0.name == name }) { return option }
        throw HostError(
            .noSuchOption, "no option is called '\(name)'",
            advice: didYouMean(name, among: options.map(\.name)))
    }

    private static func check(
        _ number: Int, _ range: ClosedRange<Int>?, _ step: Int?, _ option: DeviceOption
    ) throws {
        if let range, !range.contains(number) { throw wrong(.integer(number), option) }
        guard let step, step > 1 else { return }
        let (distance, overflow) = number.subtractingReportingOverflow(range?.lowerBound ?? 0)
        if overflow || distance % step != 0 { throw wrong(.integer(number), option) }
    }

    private static func check(
        _ number: Double, _ range: ClosedRange<Double>?, _ step: Double?, _ option: DeviceOption
    ) throws {
        guard number.isFinite, range?.contains(number) ?? true else {
            throw wrong(.number(number), option)
        }
        guard let step, step > 0 else { return }
        let steps = (number - (range?.lowerBound ?? 0)) / step
        // Decimal steps have no exact binary form, so a millionth of a step is forgiven.
        if abs(steps - steps.rounded()) > 1e-6 * max(1, abs(steps)) {
            throw wrong(.number(number), option)
        }
    }

    private static func wrong(_ value: OptionValue, _ option: DeviceOption) -> HostError {
        var advice: String?
        if case .choice(let choices) = option.type, case .text(let text) = value {
            advice = didYouMean(text, among: choices)
        }
        return refusal(
            "option '\(option.name)' takes \(accepted(option)), not \(words(value))", advice)
    }

    private static func refusal(_ message: String, _ advice: String? = nil) -> HostError {
        HostError(.invalidValue, message, advice: advice)
    }

    private static func accepted(_ option: DeviceOption) -> String {
        let unit = option.unit.map { " \($0 == .percent ? "%" : $0.rawValue)" } ?? ""
        func numbers<Number>(_ kind: String, _ range: ClosedRange<Number>?, _ step: Number?)
            -> String
        {
            let span = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
            return kind + span + unit + (step.map { " in steps of \($0)" } ?? "")
        }
        switch option.type {
        case .toggle: return "yes or no"
        case .button: return "no value"
        case .integer(let range, let step): return numbers("a whole number", range, step)
        case .number(let range, let step): return numbers("a number", range, step)
        case .integerChoice(let choices):
            return "one of " + choices.map(String.init).joined(separator: ", ") + unit
        case .text(let most): return "text" + (most.map { " of at most \($0) bytes" } ?? "")
        case .choice(let choices):
            let more = choices.count > 20 ? ", …" : ""
            return "one of " + choices.prefix(20).joined(separator: ", ") + more
        }
    }

    private static func words(_ value: OptionValue) -> String {
        switch value {
        case .bool(let value): value ? "yes" : "no"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): "'\(value.prefix(200))'"
        }
    }
}
