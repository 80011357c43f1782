/// Writes the synopsis of a command in the notation of usage lines: `[optional]`, `a|b`,
/// `repeated...`.
struct Synopsis {
    /// The parts, none of which is broken across two lines; the command's words come first.
    let parts: [String]

    /// The synopsis of the last of `commands`; the ones before it are its parents.
    init(_ commands: [Command]) {
        let words = commands.map(\.name).joined(separator: " ")
        guard let command = commands.last else {
            parts = []
            return
        }
        var parts = [words]
        if !command.visibleSubcommands.isEmpty { parts.append("COMMAND") }
        parts += command.arguments.map(\.spelling)
        parts += command.visibleOptions.map(Self.part)
        if !command.visibleSubcommands.isEmpty { parts.append("[options]") }
        self.parts = parts
    }

    private static func part(_ option: Option) -> String {
        let name = option.short.map { "-\($0)" } ?? option.spelling
        let value = option.valueSpelling.map { " \($0)" } ?? ""
        return "[\(name)\(value)]" + (option.isRepeated ? "..." : "")
    }
}
