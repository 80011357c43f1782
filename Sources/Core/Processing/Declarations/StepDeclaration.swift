/// The description of a step without its code: its name, a title, help, and its options.
public struct StepDeclaration: Hashable, Sendable {
    /// The name in profiles and on the command line, such as `deskew`.
    public let name: String
    /// A few words for lists and forms, such as "Straighten".
    public let title: String
    /// The step's effect, in a sentence or two.
    public let help: String
    /// The words for a changed page in messages, such as "straightened"; nil if users need not
    /// know about the change.
    public private(set) var done: String?
    /// The options, in the order of the help.
    public private(set) var options: [StepOption] = []

    /// The option called `name`; nil when the step has none.
    public func option(_ name: String) -> StepOption? { options.first { $0.name == name } }
}

/// The options a profile sets for one step; every other option has its default.
public struct StepSettings: Hashable, Sendable {
    /// The values that were set, by option name.
    public private(set) var values: [String: StepValue]

    /// Settings with the given values, by option name; otherwise the defaults.
    public init(_ values: [String: StepValue] = [:]) { self.values = values }

    /// The value of an option: the one that was set, otherwise the default.
    public subscript<Value>(_ key: StepOptionKey<Value>) -> Value {
        guard let value = values[key.option.name], key.option.accepts(value) else {
            return key.defaultValue
        }
        return Value(stepValue: value) ?? key.defaultValue
    }

    /// The same settings with `option` set to `value`.
    public func setting(_ option: String, to value: StepValue) -> StepSettings {
        var copy = self
        copy.values[option] = value
        return copy
    }
}
