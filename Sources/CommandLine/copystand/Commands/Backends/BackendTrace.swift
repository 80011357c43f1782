import CaptureHost
import CommandLine

/// `copystand backend trace`: runs a command and shows the messages between host and backend.
enum BackendTrace {
    private static let backend = Argument(
        "BACKEND", .one, .path,
        help: "The id of the backend to follow, or the folder of one that is not installed.",
        completion: .dynamic("backends"))
    private static let words = Argument(
        "COMMAND", .oneOrMore,
        help: "The command to run, with its options, after --: such as scan, devices or options.")
    private static let json = Option(
        flag: "json", help: "Write every message as a line of JSON instead of text.")
    private static let output = Option(
        "output", short: "o", value: "FILE", .path,
        help: "Write the messages to FILE instead of standard error.", completion: .files)

    static let command = Command(
        name: "trace", summary: "Show every message between Copystand and a backend",
        discussion: """
            Runs a command of copystand as it is, and writes each message to standard error as it \
            comes: when, from whom, how many bytes, and what. Messages are written in the \
            background, so that the run is not slowed down. Raw bytes, such as pixels, are counted \
            and never shown; passwords are never shown either. Of repeated progress messages, only \
            the first and the last are shown.

            A message that does not match the protocol's schemas is followed by a line with ✗ and \
            what is wrong with it.

            With --json every line is a message, and an object with "time" (seconds since the \
            start), "backend", "from" (host or backend), \
            "size" (bytes of the line), "bytes" (raw bytes that follow it), "descriptor", for an \
            answer "verb" and "took" \
            (seconds since its request), any "faults" against the schemas, and the "message" itself.
            """,
        examples: [
            Example(
                "Follow a scan", "copystand backend trace mycam -- scan -d mycam:test -o x.pdf"),
            Example(
                "Keep it in a file", "copystand backend trace mycam --json -o talk.jsonl -- devices"
            ),
            Example(
                "A backend that is not installed yet",
                "copystand backend trace ./mycam -- devices --backend mycam"),
        ],
        arguments: [backend, words], options: [json, output],
        handler: handler { arguments, console in
            guard Tracing.current == nil else {
                throw UsageError(
                    .refused("is already being traced: trace one command, not a trace"),
                    argument: "backend trace", path: arguments.path)
            }
            let outcome = try ArgumentParser(CommandCatalog.root).parse(arguments.texts(words))
            guard case .run(let command, let inner) = outcome, let run = command.handler else {
                throw UsageError(
                    .refused("runs nothing: name a command such as scan or devices"),
                    argument: arguments.texts(words).joined(separator: " "), path: arguments.path)
            }
            let tracing = try Tracing(
                arguments.text(backend) ?? "", isJSON: arguments.isGiven(json),
                file: arguments.text(output), path: arguments.path)
            try await tracing.check()
            let code = await Tracing.$current.withValue(tracing) { () -> Int32 in
                do {
                    return try await run(inner)
                } catch {
                    let explained = ErrorMessages.explain(error)
                    console.warn(explained.text)
                    return explained.code.rawValue
                }
            }
            tracing.finish(console)
            return ExitCode(rawValue: code) ?? .internalError
        })
}
