import CommandLine
import Delivery
import JobOptions

/// The options that `scan` and `import` share, besides those of a job (`JobOptions`).
enum ScanOptions {
    static let profile = Option(
        "profile", short: "p", value: "NAME", .name,
        help: "What to do with the pages; 'copystand profiles list' lists the profiles.",
        default: "document", completion: .dynamic("profiles"))
    static let output = Option(
        "output", short: "o", value: "FILE", .path,
        help: """
            Write the document here. The extension chooses the format: \(FileFormat.list). An \
            existing file is never overwritten. Without it the document goes into the \
            archive.
            """,
        isRepeated: true, completion: .files)
    static let sink = Option(
        "sink", value: "NAME", .name,
        help: """
            Send the document to this sink; 'copystand sinks' lists them. It is kept in the outbox \
            until the sink has it.
            """,
        isRepeated: true, completion: .dynamic("sinks"))
    static let set = Option(
        "set", short: "s", value: "OPTION=VALUE", .pair,
        help: "Set an option of the device; 'copystand options DEVICE' lists them.",
        isRepeated: true)
    static let step = Option(
        "step", value: "STEP=VALUE", .pair,
        help: """
            Change a step of the profile: STEP=on, STEP=off, or STEP.OPTION=VALUE, such as \
            deskew.maximum=5.
            """,
        isRepeated: true, completion: .dynamic("steps"))
    static let withoutStep = Option(
        "no-step", value: "STEP", .name, help: "Leave out a step of the profile.",
        isRepeated: true, completion: .dynamic("step-names"))
    static let passwordFile = Option(
        "password-file", value: "FILE", .path,
        help:
            "Open encrypted files with the password on the first line of FILE; - is standard input.",
        completion: .files, excludes: ["password"])
    static let password = Option(
        "password", value: "PASSWORD",
        help:
            "The password itself. Other users may see it in the list of processes.",
        excludes: ["password-file"])
    static let explain = Option(
        "explain", value: "FOLDER", .path,
        help: """
            Write every page after each step into this folder, with a report that says why each \
            step did what it did.
            """,
        completion: .files)
    /// The options of a command for scanning, in the order of the help.
    static func all(in command: JobCommand) -> [Option] {
        [profile, output, sink, set, step, withoutStep, passwordFile, password]
            + Option.of(command) + PDFArguments.all + [explain, SharedOptions.json]
    }

    /// The description of both commands' JSON in their help.
    static let jsonHelp = """
        With --json the result is one object: the documents that were delivered with their files \
        and pages, each page \
        with its steps and problems.
        """
}
