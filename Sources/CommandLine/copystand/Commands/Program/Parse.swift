import CommandLine

/// `copystand parse`: checks a command line without running it, for `Scripts/check-docs`.
enum ParseCommand {
    static let words = Argument(
        "WORD", .oneOrMore, .text, help: "The words of a command line, after the program's name.")

    static let command = Command(
        name: "parse", summary: "Check a command line without running it",
        arguments: [words], isHidden: true,
        handler: handler { arguments, _ in
            _ = try ArgumentParser(CommandCatalog.root).parse(arguments.texts(words))
            return .done
        })
}
