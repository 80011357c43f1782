import CaptureKit
import CommandLine

extension DeviceOption {
    /// The accepted values for users: `75…600 dpi`, `yes, no`, `gray, color`.
    var takes: String {
        let unit = unit.map { " \($0.words)" } ?? ""
        switch type {
        case .toggle: return "yes, no"
        case .integer(let range, let step):
            return numbers(
                range.map { ("\($0.lowerBound)", "\($0.upperBound)") }, step.map { "\($0)" }) + unit
        case .number(let range, let step):
            return numbers(
                range.map { ($0.lowerBound.words, $0.upperBound.words) }, step.map(\.words)) + unit
        case .integerChoice(let choices):
            return choices.map { "\($0)" }.joined(separator: ", ") + unit
        case .text(let most): return most.map { "text of at most \($0) bytes" } ?? "text"
        case .choice(let choices): return choices.joined(separator: ", ")
        case .button: return "pressed with --set \(name)=yes"
        }
    }

    private func numbers(_ range: (String, String)?, _ step: String?) -> String {
        let span = range.map { "\($0.0)…\($0.1)" } ?? "a number"
        return step.map { "\(span) in steps of \($0)" } ?? span
    }
}

extension OptionValue {
    /// The value as typed after `--set OPTION=`.
    var words: String {
        switch self {
        case .bool(let value): value ? "yes" : "no"
        case .integer(let value): "\(value)"
        case .number(let value): value.words
        case .text(let value): value
        }
    }
}

extension OptionUnit {
    /// The unit's sign or name.
    var words: String {
        switch self {
        case .pixels: "pixels"
        case .bits: "bits"
        case .millimeters: "mm"
        case .dpi: "dpi"
        case .percent: "%"
        case .microseconds: "µs"
        case .seconds: "s"
        default: Sanitized.line(rawValue)
        }
    }
}

extension Double {
    /// The number without a fraction of zero.
    fileprivate var words: String {
        Int(exactly: self).map { "\($0)" } ?? "\(self)"
    }
}
