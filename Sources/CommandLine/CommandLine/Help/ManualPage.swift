/// The man page of a program with all its commands, in the mdoc language (mandoc's mdoc(7),
/// groff_mdoc(7)).
public struct ManualPage {
    private let root: Command
    private let version: String
    private let date: String

    /// The manual page of `root`.
    ///
    /// - Parameters:
    ///   - root: the program's root command.
    ///   - version: the program's version, for the page's footer.
    ///   - date: The date of the page in mdoc's format, such as `November 21, 2026`.
    public init(_ root: Command, version: String, date: String) {
        self.root = root
        self.version = version
        self.date = date
    }

    /// The page's source; it ends in a line break.
    public var text: String {
        var lines = [
            ".Dd \(date)", ".Dt \(root.name.uppercased()) 1",
            ".Os \(Mdoc.argument("\(root.name) \(version)"))",
            ".Sh NAME", ".Nm \(root.name)", ".Nd \(Mdoc.text(root.summary))",
            ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar options", ".Sh DESCRIPTION",
        ]
        lines += Mdoc.paragraphs(root.discussion)
        lines += [".Pp", "Every command has these options:"] + options(GlobalOptions.all)
        lines.append(".Sh COMMANDS")
        for command in root.visibleSubcommands { lines += section([root, command]) }
        // The order of the sections is the convention that mandoc checks.
        for note in root.notes where note.title != Self.exitCodes {
            lines += [".Sh \(note.title.uppercased())"] + list(note)
        }
        for note in root.notes where note.title == Self.exitCodes {
            lines += [".Sh EXIT STATUS"] + list(note)
        }
        lines += [".Sh EXAMPLES"] + examples(root)
        return lines.map { $0 + "\n" }.joined()
    }

    /// The title of the note that becomes the section EXIT STATUS.
    public static let exitCodes = "Exit codes"

    // MARK: Commands

    private func section(_ commands: [Command]) -> [String] {
        guard let command = commands.last else { return [] }
        let words = commands.dropFirst().map(\.name).joined(separator: " ")
        var lines = [".Ss \(Mdoc.argument(words)) \(Mdoc.argument("– " + command.summary))"]
        if command.visibleSubcommands.isEmpty {
            lines += [".Nm", Mdoc.text(words)]
            lines += command.arguments.map(argumentPart) + command.visibleOptions.map(optionPart)
        }
        for (index, paragraph) in command.discussion.paragraphs.enumerated() {
            if index > 0 || command.visibleSubcommands.isEmpty { lines.append(".Pp") }
            lines += Mdoc.sentences(paragraph)
        }
        lines += arguments(command) + options(command.visibleOptions)
        if !command.examples.isEmpty { lines += [".Pp", "Examples:"] + examples(command) }
        for below in command.visibleSubcommands { lines += section(commands + [below]) }
        return lines
    }

    private func argumentPart(_ argument: Argument) -> String {
        let name = "Ar \(Mdoc.argument(argument.name))"
        switch argument.count {
        case .one: return ".\(name)"
        case .optional: return ".Op \(name)"
        case .oneOrMore: return ".\(name) ..."
        }
    }

    private func optionPart(_ option: Option) -> String {
        ".Op \(spelling(option, option.short == nil))" + (option.isRepeated ? " ..." : "")
    }

    private func spelling(_ option: Option, _ isLong: Bool) -> String {
        let name = isLong ? "-\(option.name)" : option.short.map { "\($0)" } ?? ""
        let optional = option.isValueOptional ? " Op" : ""
        return "Fl \(name)"
            + (option.valueName.map { "\(optional) Ar \(Mdoc.argument($0))" } ?? "")
    }

    // MARK: Lists

    private func arguments(_ command: Command) -> [String] {
        list(command.arguments.map { ("Ar \(Mdoc.argument($0.name))", HelpPage.help(of: $0)) })
    }

    private func options(_ options: [Option]) -> [String] {
        list(
            options.map { option in
                let short = option.short.map { "Fl \($0) , " } ?? ""
                return (short + spelling(option, true), HelpPage.help(of: option))
            })
    }

    private func list(_ note: Note) -> [String] {
        list(note.rows.map { (Mdoc.argument($0.term), $0.text) })
    }

    private func list(_ rows: [(String, String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        return [".Bl -tag -width Ds"]
            + rows.flatMap { [".It \($0.0)"] + Mdoc.sentences($0.1) } + [".El"]
    }

    private func examples(_ command: Command) -> [String] {
        let lines = command.examples.flatMap { example in
            [".Pp"] + Mdoc.sentences(example.explanation + ":")
                + [".Bd -literal -offset indent", Mdoc.text(example.command), ".Ed"]
        }
        // A paragraph break right after a heading means nothing.
        return command.name == root.name ? Array(lines.dropFirst()) : lines
    }
}

/// Writes text so that mdoc shows it unchanged.
private enum Mdoc {
    /// Paragraphs with breaks between them.
    static func paragraphs(_ text: String) -> [String] {
        Array(text.paragraphs.map { [".Pp"] + sentences($0) }.joined().dropFirst())
    }

    /// One paragraph, with a line for each sentence, as mandoc requires, and long lines broken
    /// further.
    static func sentences(_ text: String) -> [String] {
        var lines: [String] = []
        var words: [Substring] = []
        for word in text.split(separator: " ") {
            words.append(word)
            if let last = word.last, ".!?".contains(last) {
                lines += TextWrap.lines(words.joined(separator: " "), width: 70)
                words = []
            }
        }
        if !words.isEmpty { lines += TextWrap.lines(words.joined(separator: " "), width: 70) }
        return lines.map(self.text)
    }

    /// A line of text, without escapes or macros.
    static func text(_ line: String) -> String {
        var result = ""
        for scalar in line.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return line.utf8.first == UInt8(ascii: ".") ? "\\&" + result : result
    }

    /// An argument of a macro, escaped so that it is no macro itself.
    static func argument(_ value: String) -> String {
        let escaped = text(value).split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"")
        return "\"\\&\(escaped)\""
    }
}
