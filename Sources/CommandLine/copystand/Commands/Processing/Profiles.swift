import CommandLine
import FoundationEssentials
import Processing

/// `copystand profiles`: shows and edits profiles, the ways to process pages.
enum ProfilesCommand {
    static let command = Command(
        name: "profiles", summary: "List, show, copy and check profiles: what is done with pages",
        discussion: """
            A profile is a JSON5 file. It defines what to look for in a picture, which steps run, \
            and what is read. To \
            make your own, copy one with 'copystand profiles copy document mine' and edit the copy.
            """,
        subcommands: [listCommand, showCommand, copyCommand, checkCommand, schemaCommand])

    /// The user's profiles and the built-in ones.
    static var library: ProfileLibrary {
        ProfileLibrary(environment: ProcessInfo.processInfo.environment)
    }

    static let listCommand = Command(
        name: "list", summary: "List the profiles",
        examples: [Example("List all profiles", "copystand profiles list")],
        handler: handler { _, console in
            let listings = library.list()
            var table = Table([
                .init("PROFILE"), .init("TITLE", minimumWidth: 16), .init("FROM", minimumWidth: 20),
            ])
            for listing in listings {
                let origin =
                    switch listing.origin {
                    case .builtIn: "built in"
                    case .file(let path): path
                    }
                table.add([listing.name, listing.title, origin])
            }
            try console.result(table.text(for: console.output))
            for problem in listings.compactMap(\.problem) { console.warn(problem) }
            return .done
        })

    static let name = Argument(
        "NAME", .one, .name, help: "The profile.", completion: .dynamic("profiles"))

    static let showCommand = Command(
        name: "show", summary: "Print a profile",
        examples: [
            Example("See what 'document' does", "copystand profiles show document")
        ],
        arguments: [name],
        handler: handler { arguments, console in
            let text = try library.text(of: arguments.text(name) ?? "")
            try console.result(text.hasSuffix("\n") ? text : text + "\n")
            return .done
        })

    static let newName = Argument(
        "NEW", .one, .name, help: "The name of the copy.")

    static let copyCommand = Command(
        name: "copy", summary: "Start a profile of your own from another",
        discussion: """
            Writes the profile under a new name into ~/.config/copystand/profiles and prints the \
            path. A file of that \
            name is not overwritten.
            """,
        examples: [
            Example("A profile for letters", "copystand profiles copy document letters")
        ],
        arguments: [name, newName],
        handler: handler { arguments, console in
            let path = try library.copy(
                arguments.text(name) ?? "", as: arguments.text(newName) ?? "")
            try console.result(path + "\n")
            return .done
        })

    static let schemaCommand = Command(
        name: "schema", summary: "Print the JSON schema of profiles, for editors",
        discussion: """
            An editor that uses it offers steps and options with their help, and marks mistakes. \
            It describes the steps of this version of the program.
            """,
        examples: [
            Example(
                "Save it where an editor finds it",
                "copystand profiles schema > profile.schema.json")
        ],
        handler: handler { _, console in
            try console.result(try ProfileSchema.text() + "\n")
            return .done
        })

    static let file = Argument(
        "FILE", .one, .path, help: "The profile's file.", completion: .files)

    static let checkCommand = Command(
        name: "check", summary: "Check a profile's file",
        discussion: """
            Reports every mistake with its line and what was probably meant. The exit code is 0 \
            for a profile that can \
            be used, and 2 for one that can't.
            """,
        examples: [
            Example(
                "Check your own profile",
                "copystand profiles check ~/.config/copystand/profiles/mine.json5")
        ],
        arguments: [file],
        handler: handler { arguments, console in
            let path = arguments.text(file) ?? ""
            let problems = try ProfileLibrary.check(path: path)
            for problem in problems { console.warn(problem.message) }
            if problems.isEmpty { console.say("\(path) can be used.") }
            return problems.isEmpty ? .done : .usage
        })
}
