/// A positional argument of a command, such as the `DEVICE` of `options DEVICE`.
public struct Argument: Hashable, Sendable {
    /// The number of words for an argument.
    public enum Count: Hashable, Sendable {
        /// Exactly one word.
        case one
        /// One word or none.
        case optional
        /// One or more words; only for a command's last argument.
        case oneOrMore
    }

    /// The argument's name in capitals, such as `DEVICE`.
    public var name: String
    /// The number of words.
    public var count: Count
    /// The type of the value.
    public var type: ValueType
    /// Sentences about the argument's meaning.
    public var help: String
    /// The values that a shell offers.
    public var completion: Completion

    /// Declares an argument; exactly one word of any text unless specified otherwise.
    public init(
        _ name: String, _ count: Count = .one, _ type: ValueType = .text, help: String,
        completion: Completion = .none
    ) {
        self.name = name
        self.count = count
        self.type = type
        self.help = help
        self.completion = completion
    }

    /// The name as usage lines show it: `NAME`, `[NAME]` or `NAME...`.
    public var spelling: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)..."
        }
    }
}
