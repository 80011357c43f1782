/// Turns the words of a command line into a command and its arguments.
///
/// It understands `--name value`, `--name=value`, `-n value`, `-nvalue`, flags in a group (`-vq`),
/// `--` before words that are not options, `-` as a value (standard input), and negative numbers as
/// values. Options may be anywhere after the command they belong to; ``GlobalOptions`` anywhere.
/// `PROGRAM help COMMAND` is the same as `PROGRAM COMMAND --help`.
public struct ArgumentParser: Sendable {
    /// The result of parsing a command line.
    public enum Outcome: Sendable {
        /// Runs this command.
        case run(Command, ParsedArguments)
        /// Shows the help of the last of these commands; the ones before it are its parents.
        case help([Command], ParsedArguments)
        /// Shows the program's version; with details of its build if verbose.
        case version(isVerbose: Bool)
    }

    private let root: Command

    /// A parser for the program `root`.
    public init(_ root: Command) { self.root = root }

    /// Parses the words after the program's name.
    ///
    /// Help takes precedence over mistakes in other options, wherever it is requested.
    ///
    /// - Throws: ``UsageError``, the first mistake from the left.
    public func parse(_ words: [String]) throws(UsageError) -> Outcome {
        var state = ParsingState(root)
        var rest = words[...]
        while let word = rest.popFirst() { try state.take(word, &rest) }
        return try state.finish()
    }
}
