import CaptureKit

extension NativeOption {
    /// The maximum number of values shown with an option, so that a list of options stays
    /// small.
    private static let mostShownWords = 64

    /// The option as the protocol describes it.
    func deviceOption(name: String, isAdvanced: Bool) -> DeviceOption {
        let isReadOnly = !isSettable
        return DeviceOption(
            name: name, title: title.isEmpty ? name : title, help: fullHelp, group: group,
            type: optionType, unit: optionUnit, value: isReadable ? shownValue : nil,
            isActive: isActive, isReadOnly: isReadOnly, isAdvanced: isAdvanced || self.isAdvanced,
            sensor: sensor, hostPath: mayNameFile && !isReadOnly)
    }

    /// Options of free text that drivers only print on the paper.
    private static let harmlessTexts: Set<String> = ["endorser-string"]

    /// True for free text: drivers do not report its use, and some open it as a file.
    private var mayNameFile: Bool {
        guard kind == .text, !NativeOption.harmlessTexts.contains(name) else { return false }
        if case .texts(let texts) = constraint, !texts.isEmpty { return false }
        return true
    }

    /// The value in the protocol's form; a button with texts has none while nothing is pressed.
    private var shownValue: OptionValue? {
        if kind == .text, sensor == .button, !isTripped(value) { return nil }
        return value.flatMap(shown)
    }

    private var fullHelp: String {
        wordCount == 1
            ? help
            : help + " Takes \(wordCount) numbers separated by commas, or one number for all."
    }

    private var optionType: OptionType {
        if wordCount > 1 { return .text(maximumLength: nil) }
        switch (kind, constraint) {
        case (.toggle, _): return .toggle
        case (.button, _): return .button
        case (.integer, .range(let lower, let upper, let step)) where lower <= upper:
            return .integer(
                range: Int(lower)...Int(upper), step: step > 1 ? Int(step) : nil)
        case (.integer, .numbers(let numbers)): return .integerChoice(numbers.map { Int($0) })
        case (.integer, _): return .integer(range: nil, step: nil)
        // Steps in fixed point are not round decimals, so a value between two steps becomes the
        // nearest one.
        case (.fixed, _): return .number(range: bounds.map(rounded), step: nil)
        case (.text, .texts(let texts)) where !texts.isEmpty: return .choice(texts)
        case (.text, _): return .text(maximumLength: max(0, size - 1))
        }
    }

    private var optionUnit: OptionUnit? {
        switch unit {
        case .none: nil
        case .pixels: .pixels
        case .bits: .bits
        case .millimeters: .millimeters
        case .dpi: .dpi
        case .percent: .percent
        case .microseconds: .microseconds
        }
    }

    /// A driver's value in the protocol's form; nil for one that the option's own constraint does
    /// not allow.
    func shown(_ value: NativeValue) -> OptionValue? {
        switch value {
        case .toggle(let isOn): return .bool(isOn)
        case .text(let text):
            if case .texts(let texts) = constraint, !texts.isEmpty, !texts.contains(text) {
                return nil
            }
            return .text(text)
        case .numbers(let numbers) where wordCount > 1:
            guard numbers.count <= NativeOption.mostShownWords else { return nil }
            return .text(numbers.map(words).joined(separator: ","))
        case .numbers(let numbers):
            guard let number = numbers.first, allows(number) else { return nil }
            return kind == .integer ? .integer(Int(number)) : .number(rounded(number))
        }
    }

    private func allows(_ number: Double) -> Bool {
        if case .numbers(let numbers) = constraint { return numbers.contains(number) }
        return bounds?.contains(number) ?? true
    }

    /// The driver's value for one of the protocol: the nearest that the constraint allows, if it is
    /// within the bounds.
    ///
    /// - Throws: ``CaptureError`` `invalidValue`.
    func native(_ value: OptionValue, name: String) throws(CaptureError) -> NativeValue {
        switch (kind, value) {
        case (.button, _): return .toggle(true)
        case (.toggle, .bool(let isOn)): return .toggle(isOn)
        case (.text, .text(let text)):
            if case .texts(let texts) = constraint, !texts.isEmpty {
                guard texts.contains(text) else { throw refusal(value, name) }
            } else if text.utf8.count >= size || text.utf8.contains(0) {
                throw refusal(value, name)
            }
            return .text(text)
        case (.integer, .text(let text)) where wordCount > 1,
            (.fixed, .text(let text)) where wordCount > 1:
            return .numbers(try list(text, value, name))
        case (.integer, .integer(let number)) where wordCount == 1:
            return .numbers([try checked(Double(number), value, name)])
        case (.integer, .number(let number)) where wordCount == 1 && number == number.rounded():
            return .numbers([try checked(number, value, name)])
        case (.fixed, .integer(let number)) where wordCount == 1:
            return .numbers([try checked(Double(number), value, name)])
        case (.fixed, .number(let number)) where wordCount == 1:
            return .numbers([try checked(number, value, name)])
        default: throw refusal(value, name)
        }
    }

    private func list(
        _ text: String, _ value: OptionValue, _ name: String
    ) throws(CaptureError) -> [Double] {
        let parts = text.split { $0 == "," || $0.isWhitespace }
        let numbers = parts.compactMap { Double($0) }
        guard !parts.isEmpty, numbers.count == parts.count,
            numbers.count == wordCount || numbers.count == 1
        else { throw refusal(value, name) }
        let all =
            numbers.count == wordCount
            ? numbers : Array(repeating: numbers[0], count: wordCount)
        var checkedNumbers: [Double] = []
        for number in all { checkedNumbers.append(try checked(number, value, name)) }
        return checkedNumbers
    }

    private func checked(
        _ number: Double, _ value: OptionValue, _ name: String
    ) throws(CaptureError) -> Double {
        let most = kind == .fixed ? 32_768.0 : 2_147_483_648
        guard number.isFinite, number >= -most, number < most else { throw refusal(value, name) }
        // The protocol's bounds are rounded, so they may be a thousandth beyond the driver's.
        if let bounds, !rounded(bounds).contains(number), !bounds.contains(number) {
            throw refusal(value, name)
        }
        if kind == .integer, case .numbers(let numbers) = constraint, !numbers.contains(number) {
            throw refusal(value, name)
        }
        return nearest(number)
    }

    private func refusal(_ value: OptionValue, _ name: String) -> CaptureError {
        let shown =
            switch value {
            case .bool(let value): String(value)
            case .integer(let value): String(value)
            case .number(let value): String(value)
            case .text(let value): "'\(value.prefix(80))'"
            }
        return CaptureError(
            .invalidValue, "Option '\(name)' does not accept \(shown)",
            advice: "See what it accepts with: copystand options DEVICE")
    }

    /// Fixed point is shown with four decimals: no one needs more than its own steps of 1/65,536.
    private func rounded(_ number: Double) -> Double {
        kind == .fixed ? (number * 10_000).rounded() / 10_000 : number
    }

    private func rounded(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
        rounded(range.lowerBound)...rounded(range.upperBound)
    }

    private func words(_ number: Double) -> String {
        kind == .integer ? String(Int(number)) : String(rounded(number))
    }
}
