import CommandLine

/// A small program with every kind of declaration, for the tests of everything that is derived from
/// declarations.
enum SampleProgram {
    static let device = Option(
        "device", value: "DEVICE", .name,
        help: "Use this device: its name or a part of it. More text.",
        completion: .dynamic("devices"))
    static let output = Option(
        "output", short: "o", value: "FILE", .path, help: "Write the document here.",
        isRepeated: true, completion: .files)
    static let set = Option(
        "set", value: "OPTION=VALUE", .pair, help: "Set an option.", isRepeated: true)
    static let pages = Option(
        "pages", short: "n", value: "N", .integer(-5...9_999), help: "Stop after N pages.")
    static let contrast = Option(
        "contrast", value: "X", .number(-1...2.5), help: "Contrast.", default: "1.1")
    static let mode = Option(
        "mode", value: "MODE", .choice(["color", "gray", "lineart"]), help: "The colors.")
    static let title = Option("title", value: "TEXT", help: "The title, it's [free]: text.")
    static let folder = Option(
        "folder", value: "FOLDER", .path, help: "A folder.", completion: .folders)
    static let json = Option(flag: "json", short: "j", help: "Print JSON.")
    static let values = Option(
        "values", value: "KIND", help: "List values.", isHidden: true, waivesArguments: true)

    static let name = Argument("NAME", help: "The name.", completion: .dynamic("devices"))
    static let maybe = Argument("NAME", .optional, help: "The name.")
    static let shell = Argument("SHELL", .one, .choice(["bash", "zsh"]), help: "The shell.")
    static let paths = Argument("PATH", .oneOrMore, .path, help: "A file.", completion: .files)

    static let root = Command(
        name: "stand", summary: "takes pictures of pages",
        discussion: "Turns pages into files. It's quick.\n\n'.pdf' files, with \\ and - in them.",
        examples: [Example("Scan a page", "stand scan -o 'a b.pdf'")],
        subcommands: [
            Command(
                name: "scan", summary: "scan pages: all of them", discussion: "Scans.",
                examples: [Example("Three pages", "stand scan --pages 3")],
                options: [device, output, set, pages, contrast, mode, title, folder, json],
                handler: { _ in 0 }),
            Command(
                name: "import", summary: "import files", arguments: [paths], options: [json],
                handler: { _ in 0 }),
            Command(
                name: "device", summary: "name devices",
                subcommands: [
                    Command(
                        name: "default", summary: "set the default", arguments: [maybe],
                        handler: { _ in 0 }),
                    Command(
                        name: "alias", summary: "give a name", arguments: [name, shell],
                        handler: { _ in 0 }),
                ]),
            Command(
                name: "completions", summary: "print a script", arguments: [shell],
                options: [values], handler: { _ in 0 }),
            Command(
                name: "secret", summary: "not shown", isHidden: true, handler: { _ in 0 }),
        ],
        notes: [Note("Exit codes", [Note.Row("0", "Done."), Note.Row("130", "Canceled.")])])

    static func parse(_ line: [String]) throws -> ArgumentParser.Outcome {
        try ArgumentParser(root).parse(line)
    }

    /// Runs a command line that must be valid, and returns the arguments.
    static func run(_ line: [String]) throws -> ParsedArguments {
        guard case .run(_, let arguments) = try parse(line) else { throw NotRun() }
        return arguments
    }

    struct NotRun: Error {}

    /// Returns the error of a command line that must be invalid.
    static func mistake(_ line: [String]) -> UsageError? {
        do throws(UsageError) {
            _ = try ArgumentParser(root).parse(line)
            return nil
        } catch {
            return error
        }
    }
}
