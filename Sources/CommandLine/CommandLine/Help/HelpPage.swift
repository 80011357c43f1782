/// The help of a command as text: usage, effect, arguments, options, subcommands, examples, notes.
public struct HelpPage {
    private let commands: [Command]
    private let terminal: Terminal
    private let width: Int

    /// The help of the last of `commands`; the ones before it are its parents.
    ///
    /// Lines are at most 80 columns wide, up to 100 on a wider terminal, fewer (40 at least) on a
    /// narrower one.
    public init(for commands: [Command], terminal: Terminal) {
        self.commands = commands
        self.terminal = terminal
        width = terminal.isTerminal ? min(100, max(40, terminal.width)) : 80
    }

    /// The whole text; it ends in a line break.
    public var text: String {
        guard let command = commands.last else { return "" }
        var sections = [title(command), usage()]
        sections += command.discussion.paragraphs.map(paragraph)
        sections.append(list("Commands", command.visibleSubcommands.map { ($0.name, $0.summary) }))
        sections.append(list("Arguments", command.arguments.map { ($0.name, Self.help(of: $0)) }))
        sections.append(list("Options", command.visibleOptions.map(Self.row)))
        sections.append(list("Common options", GlobalOptions.all.map(Self.row)))
        sections.append(examples(command))
        sections += command.notes.map { note in
            list(note.title, note.rows.map { ($0.term, $0.text) })
        }
        if commands.count == 1, !command.visibleSubcommands.isEmpty {
            sections.append(paragraph("'\(command.name) COMMAND --help' describes a command."))
        }
        return sections.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    // MARK: Sections

    private func title(_ command: Command) -> String {
        let name = commands.map(\.name).joined(separator: " ")
        return "\(terminal.styled(name, .bold)): \(command.summary)\n"
    }

    private func usage() -> String {
        let usage = "Usage: "
        let parts = Synopsis(commands).parts
        let text = TextWrap.hanging(parts, width: width, indent: usage.count)
        return terminal.styled("Usage:", .bold) + " " + text + "\n"
    }

    private func paragraph(_ text: String) -> String {
        TextWrap.lines(text, width: width).joined(separator: "\n") + "\n"
    }

    private func examples(_ command: Command) -> String {
        guard !command.examples.isEmpty else { return "" }
        let lines = command.examples.flatMap { example in
            TextWrap.lines(example.explanation + ":", width: width - 2).map { "  " + $0 }
                + ["    " + example.command]
        }
        return heading("Examples") + lines.joined(separator: "\n") + "\n"
    }

    private func list(_ title: String, _ rows: [(String, String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let widest = rows.map { $0.0.displayWidth }.filter { $0 <= 26 }.max() ?? 0
        let indent = min(28, widest) + 4
        let margin = String(repeating: " ", count: indent)
        let lines = rows.flatMap { term, text -> [String] in
            var lines = TextWrap.lines(text, width: width - indent).map { margin + $0 }
            let term = "  " + term
            if term.displayWidth + 2 > indent {
                lines.insert(term, at: 0)
            } else {
                lines[0] = term.padded(toWidth: indent) + lines[0].dropFirst(indent)
            }
            return lines
        }
        return heading(title) + lines.joined(separator: "\n") + "\n"
    }

    private func heading(_ title: String) -> String { terminal.styled(title + ":", .bold) + "\n" }

    // MARK: Rows

    private static func row(_ option: Option) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.valueSpelling.map { " \($0)" } ?? ""
        return (short + option.spelling + value, help(of: option))
    }

    /// An option's help with the facts from its declaration.
    static func help(of option: Option) -> String {
        var text = option.help
        if case .choice(let words) = option.type {
            text += " One of: \(words.joined(separator: ", "))."
        }
        if let value = option.defaultValue { text += " Default: \(value)." }
        if option.isRepeated { text += " May be given several times." }
        return text
    }

    /// An argument's help with the facts from its declaration.
    static func help(of argument: Argument) -> String {
        guard case .choice(let words) = argument.type else { return argument.help }
        return argument.help + " One of: \(words.joined(separator: ", "))."
    }
}
