import Suggestions

/// The description of a step's option: its name, its values, its default, and a sentence of
/// help.
///
/// Help texts, the profile checker's messages and the reading of `--step` use it.
public struct StepOption: Hashable, Sendable {
    /// The values that an option accepts.
    public enum Kind: Hashable, Sendable {
        /// A number in a range, with a unit such as `°`, if it has one.
        case number(ClosedRange<Double>, unit: String?)
        /// `true` or `false`.
        case flag
        /// One of these words.
        case choice([String])
        /// Any text of at most this many characters; its value is a ``StepValue/choice(_:)``.
        case text(longest: Int)
    }

    /// The name in profiles and on the command line, such as `maximum`.
    public let name: String
    /// The values that the option accepts.
    public let kind: Kind
    /// The default value.
    public let defaultValue: StepValue
    /// The option's effect, in a sentence or two.
    public let help: String

    /// The values that the option accepts, for users: `a number from 0 to 45 °`, `true or false`,
    /// `one of auto, a4`.
    public var expectation: String {
        switch kind {
        case .number(let range, let unit):
            "a number from \(plainNumber(range.lowerBound)) to \(plainNumber(range.upperBound))"
                + (unit.map { " \($0)" } ?? "")
        case .flag: "true or false"
        case .choice(let choices): "one of " + choices.joined(separator: ", ")
        case .text(let longest): "text of at most \(longest) characters"
        }
    }

    /// True when `value` has the option's type and is within its range or choices.
    public func accepts(_ value: StepValue) -> Bool {
        switch (kind, value) {
        case (.number(let range, _), .number(let number)): range.contains(number)
        case (.flag, .flag): true
        case (.choice(let choices), .choice(let choice)): choices.contains(choice)
        case (.text(let longest), .choice(let text)): text.count <= longest
        default: false
        }
    }

    /// The value in the option's own spelling; nil when the option does not accept it.
    func canonical(_ value: StepValue) -> StepValue? {
        if case (.choice(let choices), .choice(let choice)) = (kind, value) {
            return ChoiceWords.choice(for: choice, among: choices).map(StepValue.choice)
        }
        return accepts(value) ? value : nil
    }

    /// Reads the text after `=`; nil when the option does not accept it.
    public func value(from text: String) -> StepValue? {
        let value: StepValue? =
            switch kind {
            case .number: Double(text).map(StepValue.number)
            case .flag: readFlag(text).map(StepValue.flag)
            case .choice, .text: .choice(text)
            }
        return value.flatMap(canonical)
    }
}

/// A step's option together with the Swift type of its value.
///
/// A step declares its options as static constants and reads them without a cast:
///
///     static let maximum = StepOptionKey(number: "maximum", in: 0...45, unit: "°", default: 10,
///     help: "…") settings[Self.maximum]  // a Double, 10 unless the profile says otherwise
public struct StepOptionKey<Value: StepOptionValue>: Sendable {
    /// The declaration.
    public let option: StepOption
    /// The default value.
    public let defaultValue: Value
}

extension StepOptionKey<Double> {
    /// An option that accepts a number in `range`; `unit` is written after the number, if there is
    /// one.
    public init(
        number name: String, in range: ClosedRange<Double>, unit: String? = nil,
        default defaultValue: Double, help: String
    ) {
        option = StepOption(
            name: name, kind: .number(range, unit: unit), defaultValue: defaultValue.stepValue,
            help: help)
        self.defaultValue = defaultValue
    }
}

extension StepOptionKey<Bool> {
    /// An option that is on or off.
    public init(flag name: String, default defaultValue: Bool, help: String) {
        option = StepOption(
            name: name, kind: .flag, defaultValue: defaultValue.stepValue, help: help)
        self.defaultValue = defaultValue
    }
}

extension StepOptionKey<String> {
    /// An option that accepts one of a few words.
    public init(
        choice name: String, of choices: [String], default defaultValue: String, help: String
    ) {
        option = StepOption(
            name: name, kind: .choice(choices), defaultValue: defaultValue.stepValue, help: help)
        self.defaultValue = defaultValue
    }
}

extension StepOptionKey<String> {
    /// An option that accepts any text of at most `longest` characters; empty unless set.
    public init(text name: String, longest: Int, help: String) {
        option = StepOption(
            name: name, kind: .text(longest: longest), defaultValue: .choice(""), help: help)
        defaultValue = ""
    }
}

/// Reads yes or no as people write it: `true`, `on`, `yes`, `false`, `off`, `no`.
func readFlag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "on", "yes": true
    case "false", "off", "no": false
    default: nil
    }
}
