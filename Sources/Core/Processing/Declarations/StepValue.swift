/// A value that a profile or the command line gives to a step's option.
public enum StepValue: Hashable, Sendable {
    /// A number, in the option's unit.
    case number(Double)
    /// Yes or no.
    case flag(Bool)
    /// One of the option's choices.
    case choice(String)

    /// The value as people write it in a profile or after `=`.
    public var text: String {
        switch self {
        case .number(let number): plainNumber(number)
        case .flag(let flag): flag ? "true" : "false"
        case .choice(let choice): choice
        }
    }
}

/// A Swift type that an option's value is read as.
public protocol StepOptionValue: Sendable {
    /// The Swift value of `value`; nil when it has another type.
    init?(stepValue: StepValue)
    /// The value in the form of profiles.
    var stepValue: StepValue { get }
}

extension Double: StepOptionValue {
    /// The number in `stepValue`; nil when it holds none.
    public init?(stepValue: StepValue) {
        guard case .number(let number) = stepValue else { return nil }
        self = number
    }
    /// The number in the form of profiles.
    public var stepValue: StepValue { .number(self) }
}

extension Bool: StepOptionValue {
    /// The flag in `stepValue`; nil when it holds none.
    public init?(stepValue: StepValue) {
        guard case .flag(let flag) = stepValue else { return nil }
        self = flag
    }
    /// The flag in the form of profiles.
    public var stepValue: StepValue { .flag(self) }
}

extension String: StepOptionValue {
    /// The choice in `stepValue`; nil when it holds none.
    public init?(stepValue: StepValue) {
        guard case .choice(let choice) = stepValue else { return nil }
        self = choice
    }
    /// The choice in the form of profiles.
    public var stepValue: StepValue { .choice(self) }
}

/// A number without a needless fraction: `10`, `0.05`.
func plainNumber(_ number: Double) -> String {
    if let whole = Int(exactly: number) { return String(whole) }
    return "\(number)"
}
