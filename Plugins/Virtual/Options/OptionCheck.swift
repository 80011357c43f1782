import CaptureKit

extension DeviceOption {
    /// The value the option takes when `value` is asked for: the nearest step or choice of a number within its range.
    ///
    /// - Throws: ``CaptureError`` `invalidValue` for a value of another kind, beyond the range, or not among the choices.
    func accepted(_ value: OptionValue) throws -> OptionValue {
        switch (type, value) {
        case (.toggle, .bool), (.button, _):
            return value
        case (.integer(let range, let step), _):
            let number = try whole(value)
            guard range?.contains(number) ?? true else { throw refused(value) }
            guard let range, let step, step > 1 else { return .integer(number) }
            let steps = (Double(number - range.lowerBound) / Double(step)).rounded()
            let most = (range.upperBound - range.lowerBound) / step
            return .integer(range.lowerBound + min(Int(steps), most) * step)
        case (.number(let range, let step), _):
            let number = try finite(value)
            guard range?.contains(number) ?? true else { throw refused(value) }
            guard let range, let step else { return .number(number) }
            let steps = ((number - range.lowerBound) / step).rounded()
            return .number(min(range.upperBound, range.lowerBound + steps * step))
        case (.integerChoice(let choices), _):
            let number = try whole(value)
            guard let least = choices.min(), let most = choices.max(),
                (least...most).contains(number),
                let nearest = choices.min(by: { abs($0 - number) < abs($1 - number) })
            else { throw refused(value) }
            return .integer(nearest)
        case (.text(let most), .text(let text)):
            guard text.utf8.count <= most ?? .max, !text.utf8.contains(0) else {
                throw refused(value)
            }
            return value
        case (.choice(let choices), .text(let text)):
            guard choices.contains(text) else { throw refused(value) }
            return value
        default:
            throw refused(value)
        }
    }

    private func finite(_ value: OptionValue) throws -> Double {
        switch value {
        case .number(let number) where number.isFinite: return number
        case .integer(let number): return Double(number)
        default: throw refused(value)
        }
    }

    private func whole(_ value: OptionValue) throws -> Int {
        switch value {
        case .integer(let number): return number
        case .number(let number):
            guard let number = Int(exactly: number.rounded()) else { throw refused(value) }
            return number
        default: throw refused(value)
        }
    }

    private func refused(_ value: OptionValue) -> CaptureError {
        CaptureError(
            .invalidValue, "Option '\(name)' does not take \(value.shown)",
            advice: "It takes \(takes).")
    }

    /// What the option takes, in words.
    private var takes: String {
        switch type {
        case .toggle: "true or false"
        case .integer(let range, _):
            range.map { "whole numbers from \($0.lowerBound) to \($0.upperBound)" }
                ?? "whole numbers"
        case .number(let range, _):
            range.map { "numbers from \($0.lowerBound) to \($0.upperBound)" } ?? "numbers"
        case .integerChoice(let choices): choices.map(String.init).joined(separator: ", ")
        case .text(let most): most.map { "text of at most \($0) bytes" } ?? "text"
        case .choice(let choices): choices.joined(separator: ", ")
        case .button: "no value"
        }
    }
}

extension OptionValue {
    /// The value as people write it.
    fileprivate var shown: String {
        switch self {
        case .bool(let value): String(value)
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .text(let value): "'\(value.prefix(80))'"
        }
    }
}
