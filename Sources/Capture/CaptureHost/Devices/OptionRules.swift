import CaptureKit
import Suggestions

/// Checks a value against an option's type, and reads values from text.
enum OptionRules {
    /// Checks that `option` may be set to `value`; returns the value in the form that the option's
    /// type needs.
    static func check(_ value: OptionValue, for option: DeviceOption) throws -> OptionValue {
        do throws(CaptureError) {
            return try option.accepting(value)
        } catch {
            throw refusal(error, value, option)
        }
    }

    /// Reads a value for `option` that a user typed, and checks it.
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
        guard let value else {
            do throws(CaptureError) {
                return try option.refuse(.text(text))
            } catch {
                throw refusal(error, .text(text), option)
            }
        }
        return try check(value, for: option)
    }

    /// The option with that name.
    static func find(_ name: String, in options: [DeviceOption]) throws -> DeviceOption {
        if let option = options.first(where: { $0.name == name }) { return option }
        throw HostError(
            .noSuchOption, "no option is called '\(name)'",
            advice: didYouMean(name, among: options.map(\.name)))
    }

    /// The error of the option's own check, with the choice that the user probably meant.
    private static func refusal(
        _ error: CaptureError, _ value: OptionValue, _ option: DeviceOption
    ) -> HostError {
        var advice: String?
        if case .choice(let choices) = option.type, case .text(let text) = value {
            // A known sheet size is not a typing error: the sheet is too large for the device.
            let isSheet = Paper.all.contains { $0.name == text.lowercased() }
            advice = isSheet ? nil : didYouMean(text, among: choices)
        }
        return HostError(.invalidValue, error.message, advice: advice)
    }
}
