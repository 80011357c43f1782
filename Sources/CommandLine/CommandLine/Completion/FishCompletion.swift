/// The completion script for fish.
struct FishCompletion {
    private let program: String
    private let nodes: [CommandNode]

    init(_ root: Command) {
        program = root.name
        nodes = CommandNode.all(of: root)
    }

    var script: String {
        """
        # Completion of \(program) for fish, written by '\(program) completions fish'.

        # Whether the words before the cursor have chosen this command.
        function __\(program)_at
            set -l path \(program)
            set -l words (commandline -opc)
            for word in $words[2..]
                string match -q -- '-*' $word; and continue
                # A word that is not a command is the value of an option.
                contains -- "$path $word" \(paths); or continue
                set path "$path $word"
            end
            test "$path" = "$argv"
        end

        complete -c \(program) -f
        \(GlobalOptions.all.map { line(nil, option: $0) }.joined(separator: "\n"))
        \(nodes.flatMap(lines).joined(separator: "\n"))

        """
    }

    private var paths: String {
        nodes.dropFirst().map { quoted($0.path) }.joined(separator: " ")
    }

    private func lines(_ node: CommandNode) -> [String] {
        node.command.visibleSubcommands.map { below in
            "\(start(node)) -a \(below.name) -d \(quoted(below.summary))"
        }
            + node.command.visibleOptions.map { line(node, option: $0) }
            + node.command.arguments.compactMap { argument in
                values(argument.completion, argument.type).map { "\(start(node)) \($0)" }
            }
    }

    private func start(_ node: CommandNode?) -> String {
        let condition = node.map { " -n \(quoted("__\(program)_at \($0.path)"))" } ?? ""
        return "complete -c \(program)\(condition)"
    }

    private func line(_ node: CommandNode?, option: Option) -> String {
        var text = "\(start(node)) -l \(option.name)"
        if let short = option.short { text += " -s \(short)" }
        if !option.isFlag {
            let needed = option.isValueOptional ? "" : "-r "
            text += " " + (values(option.completion, option.type).map { needed + $0 } ?? "-x")
        }
        return text + " -d \(quoted(option.help.firstSentence))"
    }

    private func values(_ completion: Completion, _ type: ValueType) -> String? {
        if case .choice(let words) = type { return "-f -a \(quoted(words.joined(separator: " ")))" }
        switch completion {
        case .none: return nil
        case .files: return "-F"
        case .folders: return "-f -a '(__fish_complete_directories)'"
        case .dynamic(let kind):
            return "-f -a \(quoted("(\(program) completions --values \(kind) 2>/dev/null)"))"
        }
    }

    private func quoted(_ text: String) -> String {
        let escaped = text.split(separator: "\\", omittingEmptySubsequences: false)
            .joined(separator: "\\\\")
        return escaped.quoted(quote: "\\'")
    }
}
