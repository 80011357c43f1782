/// A mistake in a command line: the wrong argument, and the kind of mistake.
public struct UsageError: Error, Hashable, Sendable {
    /// The kind of mistake.
    public enum Kind: Hashable, Sendable {
        /// No command has that name.
        case unknownCommand
        /// One of these subcommands must be given.
        case missingCommand([String])
        /// The command has no such option; `owners` are the commands that have it.
        case unknownOption(owners: [String])
        /// The option needs a value; `next` is the option-like word in its place.
        case missingValue(name: String, next: String?)
        /// A flag has a value.
        case unexpectedValue(String)
        /// An option that may be given once was given again.
        case givenTwice
        /// The option or argument does not accept the value.
        case invalidValue(String, expected: String)
        /// A required argument is missing.
        case missingArgument
        /// There are more arguments than the command takes.
        case unexpectedArgument
        /// Two options that exclude each other; this is the other.
        case conflict(with: String)
        /// A reason of the command's own: a clause that follows the argument, such as "is not a
        /// folder".
        case refused(String)
    }

    /// The kind of mistake.
    public let kind: Kind
    /// The wrong argument, as typed or as in the help.
    public let argument: String
    /// Names that were perhaps meant, nearest first, as typed.
    public let suggestions: [String]
    /// The words of the command that was being parsed, the program's name first.
    public let path: [String]

    /// An error about `argument`, by default without suggestions.
    public init(_ kind: Kind, argument: String, suggestions: [String] = [], path: [String]) {
        self.kind = kind
        self.argument = argument
        self.suggestions = suggestions
        self.path = path
    }

    /// The mistake and the place of help, for people: two lines, safe for a terminal.
    public var message: String {
        var text = sentence
        if !suggestions.isEmpty {
            let names = suggestions.map { "'\(Sanitized.line($0))'" }
            text += " Did you mean \(names.listed(with: "or"))?"
        }
        return text + "\nSee '\(path.joined(separator: " ")) --help'."
    }

    private var sentence: String {
        let name = Sanitized.line(argument)
        switch kind {
        case .unknownCommand: return "there is no command '\(name)'."
        case .missingCommand(let names):
            return "'\(name)' needs a command after it: \(names.listed(with: "or"))."
        case .unknownOption(let owners) where owners.isEmpty:
            return "there is no option '\(name)'."
        case .unknownOption(let owners):
            return "the option '\(name)' goes after the command: "
                + "\(owners.map { "'\($0)'" }.listed(with: "or"))."
        case .missingValue(let value, nil): return "\(name) needs a value: \(name) \(value)."
        case .missingValue(let value, let next?):
            let next = Sanitized.line(next)
            return "\(name) needs a value: \(name) \(value). "
                + "If '\(next)' is the value, write it as one word: \(name)=\(next)."
        case .unexpectedValue(let value):
            return "\(name) takes no value, but '\(Sanitized.line(value))' was given."
        case .givenTwice: return "\(name) may be given only once."
        case .invalidValue(let value, let expected):
            return "\(name) takes \(expected), not '\(Sanitized.line(value))'."
        case .missingArgument: return "\(name) is missing."
        case .unexpectedArgument: return "there is no place for the argument '\(name)'."
        case .conflict(let other): return "\(name) and \(other) can't be given together."
        case .refused(let clause): return "'\(name)' \(clause)."
        }
    }
}
