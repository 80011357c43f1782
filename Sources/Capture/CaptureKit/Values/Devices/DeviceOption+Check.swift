import Suggestions

extension DeviceOption {
    /// A value in the form that the option's type requires, such as `3.0` for a number that was
    /// given as `3`.
    ///
    /// - Throws: ``CaptureError`` `invalidValue`, with the values that the option accepts, when the
    ///   option is read-only, inactive, or does not accept the value.
    public func accepting(_ value: OptionValue) throws(CaptureError) -> OptionValue {
        if isReadOnly {
            throw CaptureError(.invalidValue, "option '\(name)' is read-only and can't be set")
        }
        if !isActive {
            throw CaptureError(
                .invalidValue,
                "option '\(name)' has no effect with the current values of the other options")
        }
        switch (type, value) {
        case (.toggle, .bool), (.button, _): return value
        case (.integer(let range, let step), .integer(let number)):
            return try takes(number, range, step) ? value : refuse(value)
        case (.integer, .number(let number)):
            guard let whole = Int(exactly: number) else { return try refuse(value) }
            return try accepting(.integer(whole))
        case (.number, .integer(let number)): return try accepting(.number(Double(number)))
        case (.number(let range, let step), .number(let number)):
            return try takes(number, range, step) ? value : refuse(value)
        case (.integerChoice(let choices), .integer(let number)):
            return try choices.contains(number) ? value : refuse(value)
        case (.text(let most), .text(let text)):
            // A zero byte would end the text in C, and no device needs one.
            let fits = text.utf8.count <= most ?? 65_536 && !text.utf8.contains(0)
            return try fits ? value : refuse(value)
        case (.choice(let choices), .text(let text)):
            guard let meant = ChoiceWords.choice(for: text, among: choices) else {
                return try refuse(value)
            }
            return .text(meant)
        default: return try refuse(value)
        }
    }

    /// Refuses a value that the option does not accept.
    ///
    /// - Throws: ``CaptureError`` `invalidValue`, always.
    package func refuse(_ value: OptionValue) throws(CaptureError) -> OptionValue {
        throw CaptureError(.invalidValue, "option '\(name)' takes \(words), not \(value.words)")
    }

    private func takes(_ number: Int, _ range: ClosedRange<Int>?, _ step: Int?) -> Bool {
        if let range, !range.contains(number) { return false }
        guard let step, step > 1 else { return true }
        let (distance, overflow) = number.subtractingReportingOverflow(range?.lowerBound ?? 0)
        return !overflow && distance % step == 0
    }

    private func takes(_ number: Double, _ range: ClosedRange<Double>?, _ step: Double?) -> Bool {
        guard number.isFinite, range?.contains(number) ?? true else { return false }
        guard let step, step > 0 else { return true }
        let steps = (number - (range?.lowerBound ?? 0)) / step
        // Decimal steps have no exact binary form, so a millionth of a step is allowed as an error.
        return abs(steps - steps.rounded()) <= 1e-6 * max(1, abs(steps))
    }

    /// The values that the option accepts, in words.
    private var words: String {
        let unit = unit.map { " \($0 == .percent ? "%" : $0.rawValue)" } ?? ""
        func numbers<Number>(_ kind: String, _ range: ClosedRange<Number>?, _ step: Number?)
            -> String
        {
            let span = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
            return kind + span + unit + (step.map { " in steps of \($0)" } ?? "")
        }
        switch type {
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
}

extension OptionValue {
    /// The value for people: yes, no, a number, or text in quotes.
    fileprivate var words: String {
        switch self {
        case .bool(let value): value ? "yes" : "no"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): "'\(value.prefix(200))'"
        }
    }
}
