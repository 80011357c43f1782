/// An option of a command: a flag such as `--json`, or one with a value such as `--pages N`.
///
/// The declaration is also the key for reading the parsed value
/// (``ParsedArguments/text(_:)-(Option)``), so that a misspelled name doesn't compile.
public struct Option: Hashable, Sendable {
    /// The long name without its hyphens.
    public var name: String
    /// The one-letter name; nil for none.
    public var short: Character?
    /// The name of the value in help, in capitals; nil for a flag.
    ///
    /// A name of several words, such as `PAGE PLACE`, takes that many words from the command line;
    /// the value has a space between them.
    public var valueName: String?
    /// The type of the value.
    public var type: ValueType
    /// Sentences about the option's effect.
    public var help: String
    /// True when the option may be given several times.
    public var isRepeated: Bool
    /// The value of an option that is not given; shown in help.
    public var defaultValue: String?
    /// The values that a shell offers.
    public var completion: Completion
    /// Long names of options that can't be given together with it.
    public var excludes: [String]
    /// True when help, completions and man page leave it out.
    public var isHidden: Bool
    /// True when the value may be left out; a following word that is not an option counts as the
    /// value.
    public var isValueOptional: Bool
    /// True when this option replaces the command's required arguments.
    public var waivesArguments: Bool

    /// Declares an option that takes a value.
    public init(
        _ name: String, short: Character? = nil, value valueName: String, _ type: ValueType = .text,
        help: String, isRepeated: Bool = false, default defaultValue: String? = nil,
        completion: Completion = .none, excludes: [String] = [], isHidden: Bool = false,
        waivesArguments: Bool = false, isValueOptional: Bool = false
    ) {
        self.name = name
        self.short = short
        self.valueName = valueName
        self.type = type
        self.help = help
        self.isRepeated = isRepeated
        self.defaultValue = defaultValue
        self.completion = completion
        self.excludes = excludes
        self.isHidden = isHidden
        self.waivesArguments = waivesArguments
        self.isValueOptional = isValueOptional
    }

    /// Declares a flag, which is given or not.
    public init(
        flag name: String, short: Character? = nil, help: String, excludes: [String] = [],
        isHidden: Bool = false
    ) {
        self.init(
            name, short: short, value: "", help: help, excludes: excludes, isHidden: isHidden)
        valueName = nil
    }

    /// The number of words on the command line that form the value.
    var valueCount: Int { valueName.map { $0.split(separator: " ").count } ?? 0 }
    /// True when the option takes no value.
    public var isFlag: Bool { valueName == nil }
    /// The value in help: `N`, or `[N]` if it may be omitted; nil for a flag.
    public var valueSpelling: String? { isValueOptional ? valueName.map { "[\($0)]" } : valueName }
    /// The typed name, such as `--pages`.
    public var spelling: String { "--\(name)" }
}
