/// A command with its path, for the completion scripts.
struct CommandNode {
    /// The words that are typed, the program's first, such as `copystand device default`.
    let path: String
    /// The command.
    let command: Command

    /// The command's own options and the common ones.
    var options: [Option] { command.visibleOptions + GlobalOptions.all }

    /// All visible commands, each before its subcommands.
    static func all(of root: Command) -> [CommandNode] { nodes(root, path: root.name) }

    private static func nodes(_ command: Command, path: String) -> [CommandNode] {
        [CommandNode(path: path, command: command)]
            + command.visibleSubcommands.flatMap { nodes($0, path: "\(path) \($0.name)") }
    }
}

extension Option {
    /// The spellings of the option: `-o` and `--output`.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [spelling] }
}

extension String {
    /// The text in single quotes, as every supported shell reads it.
    ///
    /// - Parameter quote: What a single quote inside becomes: `'\''` in bash and zsh, `\'` in fish.
    func quoted(quote: String = "'\\''") -> String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: quote) + "'"
    }

    /// The first sentence without its period, which is short enough for a completion.
    var firstSentence: String {
        var words: [Substring] = []
        for word in split(separator: " ") {
            words.append(word)
            if word.last == "." { break }
        }
        let text = words.joined(separator: " ")
        return text.last == "." ? String(text.dropLast()) : text
    }
}
