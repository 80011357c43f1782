/// The arguments of one run of a command, read through their declarations.
///
/// Every value has been checked against its ``ValueType``, and every required argument is present.
public struct ParsedArguments: Hashable, Sendable {
    /// The words that chose the command, the program's name first, such as `copystand device
    /// default`.
    public internal(set) var path: [String]
    var options: [String: [String]] = [:]
    var positionals: [String: [String]] = [:]

    /// True if `option` was given.
    public func isGiven(_ option: Option) -> Bool { options[option.name] != nil }

    /// The value of `option`; its default if it was not given, or nil.
    public func text(_ option: Option) -> String? {
        options[option.name]?.last ?? option.defaultValue
    }

    /// Every value of a repeated option in the order given.
    public func texts(_ option: Option) -> [String] {
        options[option.name] ?? option.defaultValue.map { [$0] } ?? []
    }

    /// The value of an option declared ``ValueType/integer(_:)``.
    public func integer(_ option: Option) -> Int? { text(option).flatMap { Int($0) } }

    /// The value of an option declared ``ValueType/number(_:)``.
    public func number(_ option: Option) -> Double? { text(option).flatMap { Double($0) } }

    /// Every value of an option declared ``ValueType/pair``, in the order given.
    public func pairs(_ option: Option) -> [NamedValue] {
        texts(option).compactMap(NamedValue.init)
    }

    /// The word given for `argument`, or nil where it was left out.
    public func text(_ argument: Argument) -> String? { positionals[argument.name]?.last }

    /// Every word given for a repeated argument.
    public func texts(_ argument: Argument) -> [String] { positionals[argument.name] ?? [] }
}
