/// A command of a program, declared once: parsing, help, completions and the man page all come from
/// it.
///
/// ```swift
/// let pages = Option("pages", value: "N", .integer(1...9_999), help: "Stop after N pages.")
/// let scan = Command(
///     name: "scan", summary: "Scan pages into a document", options: [pages],
///     handler: { arguments in
///         print(arguments.integer(pages) ?? 0)
///         return 0
///     })
/// ```
///
/// A command has either a handler or subcommands, not both.
public struct Command: Sendable {
    /// The function that runs a command with its arguments; it returns the program's exit code.
    ///
    /// A handler may throw ``UsageError`` for mistakes that only it can detect; its caller words
    /// other errors.
    public typealias Handler = @Sendable (ParsedArguments) async throws -> Int32

    /// The word that is typed, such as `scan`.
    public var name: String
    /// A line without a period about the command's effect.
    public var summary: String
    /// Paragraphs for users, separated by empty lines.
    public var discussion: String
    /// Complete command lines to copy.
    public var examples: [Example]
    /// The positional arguments in order; only the last may be repeated.
    public var arguments: [Argument]
    /// The options, besides the ``GlobalOptions``.
    public var options: [Option]
    /// The subcommands.
    public var subcommands: [Command]
    /// Lists that belong at the end of its help, such as the exit codes.
    public var notes: [Note]
    /// True when help, completions and man page leave it out.
    public var isHidden: Bool
    /// The function that runs the command; nil when one of its subcommands must be given.
    public var handler: Handler?

    /// Declares a command; everything but its name and summary may be left out.
    public init(
        name: String, summary: String, discussion: String = "", examples: [Example] = [],
        arguments: [Argument] = [], options: [Option] = [], subcommands: [Command] = [],
        notes: [Note] = [], isHidden: Bool = false, handler: Handler? = nil
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.arguments = arguments
        self.options = options
        self.subcommands = subcommands
        self.notes = notes
        self.isHidden = isHidden
        self.handler = handler
    }

    /// The subcommands that people are shown.
    public var visibleSubcommands: [Command] { subcommands.filter { !$0.isHidden } }
    /// The options that people are shown.
    public var visibleOptions: [Option] { options.filter { !$0.isHidden } }
}

/// A command line to copy, with an explanation.
public struct Example: Hashable, Sendable {
    /// The complete command line.
    public var command: String
    /// The explanation, without a period.
    public var explanation: String

    /// An example with its explanation and its line.
    public init(_ explanation: String, _ command: String) {
        self.explanation = explanation
        self.command = command
    }
}

/// A titled list at the end of a command's help, such as its exit codes.
public struct Note: Hashable, Sendable {
    /// A line of the list.
    public struct Row: Hashable, Sendable {
        /// The explained term, such as `130`.
        public var term: String
        /// The explanation.
        public var text: String

        /// A term and its explanation.
        public init(_ term: String, _ text: String) {
            self.term = term
            self.text = text
        }
    }

    /// The heading, such as "Exit codes".
    public var title: String
    /// The lines.
    public var rows: [Row]

    /// A titled list.
    public init(_ title: String, _ rows: [Row]) {
        self.title = title
        self.rows = rows
    }
}
