/// A positional argument of a command, such as the `DEVICE` of `options DEVICE`.
public struct Argument: Hashable, Sendable {
    /// How many words it takes.
    public enum Count: Hashable, Sendable {
        /// Exactly one.
        case one
        /// One or none.
        case optional
        /// One or more; only for a command's last argument.
        case oneOrMore
    }

    /// What it is called, in capitals, such as `DEVICE`.
    public var name: String
    /// How many words it takes.
    public var count: Count
    /// What it must be.
    public var type: ValueType
    /// What it means, as sentences.
    public var help: String
    /// What a shell offers for it.
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
