import BlockingWork
import CommandLine
import Delivery
import FoundationEssentials

/// `copystand sinks`: named places that documents go to.
enum SinksCommand {
    private static let name = Argument(
        "NAME", .one, .name, help: "The sink's name.", completion: .dynamic("sinks"))

    static let command = Command(
        name: "sinks",
        summary: "List, add, test and remove the services and folders that documents go to",
        discussion: """
            A named sink takes documents with 'scan --sink NAME' and 'import --sink NAME'. A \
            document for it is first written to the outbox, whole and durable, and leaves it only \
            when the sink has confirmed it; see 'copystand outbox'.

            The sinks are kept in ~/.config/copystand/sinks.json, which only you can read. Tokens \
            and passwords are never \
            shown, and are given in files, not on the command line, where other users could see \
            them.

            With --json the result is an object with "sinks", each with "name", "kind" and, where \
            it has one, "target".
            """,
        examples: [
            Example("List the sinks", "copystand sinks"),
            Example(
                "A paperless-ngx server",
                "copystand sinks add office -k paperless --url URL --token-file token.txt"
            ),
            Example("Test whether it accepts the token", "copystand sinks test office"),
        ],
        options: [SharedOptions.json],
        subcommands: [
            listCommand, kinds, SinksAdd.command, test, remove, SinkAddresses.command,
        ],
        handler: handler(list))

    private static let listCommand = Command(
        name: "list", summary: "List the sinks, the same as 'copystand sinks'",
        examples: [Example("As JSON", "copystand sinks list --json")],
        options: [SharedOptions.json], handler: handler(list))

    private static let kinds = Command(
        name: "kinds", summary: "List the kinds of sinks, and the settings of each",
        discussion: "Required settings are marked with *.",
        examples: [Example("Every kind", "copystand sinks kinds")],
        handler: handler { _, console in
            var lines: [String] = []
            for kind in SinkDefinition.Kind.all {
                lines.append("\(kind.name): \(kind.summary)")
                lines += kind.settings.map {
                    let values =
                        $0.choices.isEmpty ? "" : " (\($0.choices.joined(separator: ", ")))"
                    return "  \($0.isNeeded ? "*" : " ") \($0.option): \($0.help)\(values)"
                }
            }
            try console.result(lines.joined(separator: "\n") + "\n")
            return .done
        })

    private static let test = Command(
        name: "test", summary: "Check whether a sink answers and accepts your credentials",
        discussion: "No document is sent.",
        examples: [Example("Try it", "copystand sinks test office")], arguments: [name],
        handler: handler { arguments, console in
            let name = arguments.text(name) ?? ""
            let registry = try Self.registry()
            let definition = try registry.sink(name)
            let words = try await onOwnThread { try outbox(registry).test(definition) }
            console.say("'\(name)' works: \(words).")
            return .done
        })

    private static let remove = Command(
        name: "remove", summary: "Remove a sink",
        discussion: "Documents that wait for it stay in the outbox.",
        examples: [Example("Remove it", "copystand sinks remove office")], arguments: [name],
        handler: handler { arguments, console in
            let name = arguments.text(name) ?? ""
            var registry = try Self.registry()
            try registry.remove(name)
            console.say("The sink '\(name)' is removed.")
            return .done
        })

    /// The user's sinks.
    ///
    /// - Parameter environment: names the user's folders; that of the process unless given.
    static func registry(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> SinkRegistry {
        try .standard(environment: environment)
    }

    /// The user's outbox for those sinks.
    ///
    /// - Parameter environment: names the user's folders; that of the process unless given.
    static func outbox(
        _ registry: SinkRegistry,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Outbox {
        var outbox = Outbox(
            store: try .standard(environment: environment), sinks: registry,
            stop: Program.deliveryStop)
        outbox.onUpload = { Program.notify($0) }
        return outbox
    }

    private struct SinksJSON: Encodable {
        struct Sink: Encodable {
            var name: String
            var kind: String
            var target: String?
        }
        var sinks: [Sink]
    }

    private static func list(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let sinks = try registry().sinks.sorted { $0.key < $1.key }.map { name, sink in
            SinksJSON.Sink(name: name, kind: sink.kind.name, target: sink.shownTarget)
        }
        if arguments.isGiven(SharedOptions.json) {
            try console.json(SinksJSON(sinks: sinks))
            return .done
        }
        if sinks.isEmpty {
            console.say(
                "There are no named sinks yet. Add one with: copystand sinks add NAME --kind KIND …"
            )
            return .done
        }
        var table = Table([.init("SINK"), .init("KIND"), .init("GOES TO", minimumWidth: 20)])
        for sink in sinks { table.add([sink.name, sink.kind, sink.target ?? ""]) }
        try console.result(table.text(for: console.output))
        return .done
    }
}
